import Imaging
import PeopleVision
import TestSupport
import Testing

/// Tests that a still image gives the result of a new request, bit for bit, whatever came before.
@Suite struct StillImageTests {
    /// The result of a request for a frame.
    struct Found: Equatable {
        var values: [[Float]] = []
        /// Observations, of which the identifiers do not count.
        var things: [AnyHashable] = []
    }

    /// A request of one kind.
    struct Kind: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The number of photos, and of frames below; slow requests have few of them.
        let photos: Int
        let steps: Int
        /// Makes a request, as a function that returns its result for a frame.
        let make: @Sendable () -> (InputFrame) throws -> Found

        init(
            _ name: String, photos: Int, steps: Int,
            _ make: @escaping @Sendable () -> (InputFrame) throws -> Found
        ) {
            (testDescription, self.photos, self.steps, self.make) = (name, photos, steps, make)
        }
    }

    private static func segmentation(
        _ quality: GeneratePersonSegmentationRequest.QualityLevel, smoothing: Float = 0.95
    ) -> GeneratePersonSegmentationRequest.Configuration {
        var configuration = GeneratePersonSegmentationRequest.Configuration()
        (configuration.qualityLevel, configuration.smoothing) = (quality, smoothing)
        configuration.modelPath = Checkout.models.path
        return configuration
    }

    private static func instances(_ found: InstanceMaskObservation) -> Found {
        Found(
            values: [found.mask.values, found.labels.values],
            things: found.instances as [AnyHashable] + [found.totalCount])
    }

    private static let kinds: [Kind] = [
        Kind("fast", photos: 20, steps: 100) {
            let request = GeneratePersonSegmentationRequest(segmentation(.fast))
            return { Found(values: [try request.perform(on: $0).mask.values]) }
        },
        Kind("balanced", photos: 6, steps: 12) {
            let request = GeneratePersonSegmentationRequest(segmentation(.balanced))
            return { Found(values: [try request.perform(on: $0).mask.values]) }
        },
        Kind("accurate", photos: 3, steps: 5) {
            let request = GeneratePersonSegmentationRequest(segmentation(.accurate))
            return { Found(values: [try request.perform(on: $0).mask.values]) }
        },
        Kind("live", photos: 3, steps: 5) {
            var configuration = segmentation(.balanced)
            (configuration.mode, configuration.waitsForBackground) = (.camera, true)
            let request = GeneratePersonSegmentationRequest(configuration)
            return { Found(values: [try request.perform(on: $0).mask.values]) }
        },
        Kind("instances", photos: 20, steps: 60) {
            let request = GeneratePersonInstanceMaskRequest()
            request.segmentation = segmentation(.fast)
            return { instances(try request.perform(on: $0)) }
        },
        Kind("subjects", photos: 12, steps: 30) {
            let request = GenerateForegroundInstanceMaskRequest()
            request.segmentation = segmentation(.fast, smoothing: 0)
            return { instances(try request.perform(on: $0)) }
        },
        Kind("objectness", photos: 8, steps: 16) {
            let request = GenerateObjectnessBasedSaliencyImageRequest()
            (request.mode, request.modelPath) = (.recording, Checkout.models.path)
            return {
                let found = try request.perform(on: $0)
                return Found(values: [found.heatMap.values], things: found.salientObjects)
            }
        },
        Kind("attention", photos: 4, steps: 8) {
            let request = GenerateAttentionBasedSaliencyImageRequest()
            (request.mode, request.modelPath) = (.recording, Checkout.models.path)
            return {
                let found = try request.perform(on: $0)
                return Found(values: [found.heatMap.values], things: found.salientObjects)
            }
        },
        Kind("faces", photos: 8, steps: 16) {
            var configuration = FaceRequest.Configuration()
            (configuration.mode, configuration.modelPath) = (.recording, Checkout.models.path)
            let request = DetectFaceLandmarksRequest(configuration)
            return { Found(things: try request.perform(on: $0)) }
        },
        Kind("bodies", photos: 10, steps: 20) {
            var configuration = BodyRequest.Configuration()
            (configuration.mode, configuration.modelPath) = (.recording, Checkout.models.path)
            let request = DetectHumanBodyPose3DRequest(configuration)
            return { Found(things: try request.perform(on: $0)) }
        },
        Kind("hands", photos: 8, steps: 16) {
            var configuration = DetectHumanHandPoseRequest.Configuration()
            (configuration.mode, configuration.modelPath) = (.recording, Checkout.models.path)
            let request = DetectHumanHandPoseRequest(configuration)
            return { Found(things: try request.perform(on: $0)) }
        },
        Kind("people", photos: 5, steps: 10) {
            var configuration = DetectPeopleRequest.Configuration()
            configuration.mode = .recording
            configuration.instances.segmentation = segmentation(.fast)
            configuration.bodies.modelPath = Checkout.models.path
            configuration.faces.modelPath = Checkout.models.path
            configuration.hands.modelPath = Checkout.models.path
            let request = DetectPeopleRequest(configuration)
            return { Found(things: try request.perform(on: $0)) }
        },
    ]

    /// Photos of one size: first renditions that hardly differ, then some of other people or of nobody.
    private static let photos: [Photo] = {
        guard let portrait = Photo.portrait, let row = try? Photo.row(of: 2) else { return [] }
        func piece(_ left: Int, _ top: Int, _ factor: Double = 0.6) -> Photo {
            portrait.placed(left: left, top: top, width: 288, height: 256, factor: factor)
        }
        let near = piece(-8, 0)
        let people = row.placed(left: 0, top: 20, width: 288, height: 256, factor: 0.55)
        let shifted = (1...4).map { piece(-8 + 2 * $0, 0) }
        return [
            near, near.brighter(by: 6), shifted[0], people, people.brighter(by: 6), near.mirrored,
            near.brighter(by: -12), shifted[1], near.noisy(deviation: 4, seed: 1), people.mirrored,
            shifted[2], .grey(width: 288, height: 256), piece(-120, -20, 1), piece(-124, -20, 1), shifted[3],
            people.noisy(deviation: 6, seed: 2), near.mirrored.brighter(by: 6), piece(40, 60, 0.4),
            piece(44, 60, 0.4), near,
        ]
    }()

    @Test(arguments: kinds) func resultsDoNotDependOnEarlierImages(kind: Kind) throws {
        let images = Self.photos.prefix(kind.photos).map(\.image)
        try #require(images.count == kind.photos)
        let request = kind.make()
        // New requests share the models that this one has loaded.
        _ = try request(InputFrame(images[0].view, isStill: true))
        let fresh = try images.map { image in try kind.make()(InputFrame(image.view, isStill: true)) }
        var random = SeededGenerator(seed: UInt64(kind.photos))
        for step in 0..<kind.steps {
            let index = Int.random(in: images.indices, using: &random)
            // Some frames belong to a video, and some have a known time.
            if step % 5 == 4, let frame = images.randomElement(using: &random) {
                let time = UInt64(step) * 40_000_000
                _ = try request(InputFrame(frame.view, nanoseconds: time, isStill: false))
            }
            let time = step % 3 == 0 ? nil : UInt64(step) * 40_000_000
            let found = try request(InputFrame(images[index].view, nanoseconds: time, isStill: true))
            #expect(found == fresh[index], "photo \(index) at step \(step)")
        }
    }
}

extension Photo {
    /// Returns the photo with all samples changed by `change`.
    fileprivate func brighter(by change: Int) -> Photo {
        Photo(width: width, height: height, bytes: bytes.map { UInt8(clamping: Int($0) + change) })
    }
}
