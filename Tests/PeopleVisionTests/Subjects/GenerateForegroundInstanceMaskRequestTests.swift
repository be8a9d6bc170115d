import Imaging
import PeopleVision
import TestSupport
import Testing

/// Tests of subjects of any kind without GStreamer.
struct GenerateForegroundInstanceMaskRequestTests {
    typealias Request = GenerateForegroundInstanceMaskRequest

    private func request() -> Request {
        let request = Request()
        request.segmentation.qualityLevel = .fast
        request.segmentation.outputPixelFormat = .f32
        request.segmentation.modelPath = Checkout.models.path
        return request
    }

    private func perform(
        _ request: Request, _ picture: Photo, _ orientation: ImageOrientation = .up
    ) throws -> InstanceMaskObservation {
        let image = picture.image
        return try request.perform(on: image.view, orientation: orientation)
    }

    @Test func liftsThingsApart() throws {
        let found = try perform(request(), .balls)
        #expect(found.instances.count == 2 && found.crowdLabel == nil && found.totalCount == 2)
        let labels = Photo.ballCenters.map { found.instance(at: $0) }
        #expect(Set(labels) == [1, 2] && found.instance(at: Point(x: 0.5, y: 0.1)) == 0)
        for (center, label) in zip(Photo.ballCenters, labels) {
            let instance = try #require(found.instances.first { $0.label == label })
            let (box, middle) = (instance.boundingBox, instance.boundingBox.center)
            #expect(abs(middle.x - center.x) < 0.03 && abs(middle.y - center.y) < 0.03)
            #expect(abs(box.height - 2 * Photo.ballRadius) < 0.06 && instance.confidence > 0.8)
        }
    }

    @Test func theMaskIsThatOfTheThings() throws {
        let mask = try perform(request(), .balls).mask
        let (width, height) = (mask.view.width, mask.view.height)
        var (both, either) = (0, 0)
        for (index, value) in mask.values.enumerated() {
            let (x, y) = (Double(index % width) + 0.5, Double(index / width) + 0.5)
            let isBall = Photo.isBall(x / Double(width), y / Double(height))
            both += isBall && value > 0.5 ? 1 : 0
            either += isBall || value > 0.5 ? 1 : 0
        }
        #expect(Double(both) > 0.9 * Double(either), "\(both) of \(either)")
    }

    /// The saliency model sees people less well than the segmentation of people does.
    @Test func aPersonIsASubject() throws {
        let request = request()
        let people = GeneratePersonSegmentationRequest(request.configuration.segmentation)
        let image = try #require(Photo.portrait).image
        let person = try people.perform(on: image.view).mask.values
        let found = try request.perform(on: image.view)
        #expect(found.instance(at: Point(x: 0.45, y: 0.25)) > 0)
        // Her own mask counts only around her box; the rest of it is nobody.
        let lost = zip(found.mask.values, person).reduce(Float(0)) { $0 + max(0, $1.1 - $1.0) }
        #expect(lost < 0.02 * person.reduce(0, +), "\(lost)")
    }

    @Test func idsStayInAStreamAndTurnedPicturesHaveTurnedMasks() throws {
        let request = request()
        let first = try perform(request, .balls)
        #expect(try perform(request, .balls).instances == first.instances)
        request.maximumInstances = 1
        let fewer = try perform(request, .balls)
        #expect(fewer.instances.count == 1 && fewer.crowdLabel == 2 && fewer.totalCount == 2)
        let mirrored = try perform(request, .balls, .upMirrored)
        let upright = Photo.ballCenters.map { fewer.instance(at: $0) > 0 }
        #expect(upright == Photo.ballCenters.map { mirrored.instance(at: $0) > 0 })
    }

    /// From the ninth picture on, coverage follows the motion instead of being recomputed.
    @Test func masksFollowThingsThatMove() throws {
        let request = request()
        for step in 0..<13 {
            let shift = 2 * step
            let found = try perform(request, Photo.balls.moved(right: shift))
            #expect(found.instances.count == 2)
            for center in Photo.ballCenters {
                let x = center.x + Double(shift) / 480
                let label = found.instance(at: Point(x: x, y: center.y))
                let box = try #require(found.instances.first { $0.label == label }).boundingBox
                #expect(abs(box.center.x - x) < 0.02 && abs(box.width - 2 * Photo.ballRadius / 1.5) < 0.05)
            }
        }
    }

    /// Three people of the packaged clip stand arm in arm; the faces are at places that were read off the frame.
    @Test(arguments: [GeneratePersonSegmentationRequest.QualityLevel.fast, .balanced])
    func peopleWhoTouchAreSubjectsOfTheirOwn(
        level: GeneratePersonSegmentationRequest.QualityLevel
    ) throws {
        let request = request()
        request.segmentation.qualityLevel = level
        let found = try perform(request, .clip(frame: 120))
        #expect(found.instances.count == 3 && found.totalCount == 3 && found.crowdLabel == nil)
        let faces = [Point(x: 0.27, y: 0.18), Point(x: 0.47, y: 0.34), Point(x: 0.62, y: 0.3)]
        let labels = faces.map { found.instance(at: $0) }
        #expect(Set(labels) == [1, 2, 3], "\(labels)")
        for (face, label) in zip(faces, labels) {
            let box = try #require(found.instances.first { $0.label == label }).boundingBox
            #expect(abs(box.center.x - face.x) < 0.12 && box.height > 0.5 && box.width < 0.5)
        }
        // Together they are still the mask of all.
        let masks = try labels.map { try found.generateMask(for: [$0]).values }
        let error = found.mask.values.indices.map { index in
            abs(masks.reduce(0) { $0 + $1[index] } - found.mask.values[index])
        }
        #expect(error.max() ?? 1 < 0.02)
    }

    /// In a stream they keep their ids, also in frames whose saliency is not computed.
    @Test func peopleWhoTouchKeepTheirIds() throws {
        let request = request()
        request.mode = .recording
        let image = try Photo.clip(frame: 60).image
        let ids = try (0..<8).map { step in
            try request.perform(on: InputFrame(image.view, time: .milliseconds(40 * step))).instances.map(
                \.id)
        }
        #expect(ids[0].count == 3 && ids.allSatisfy { $0 == ids[0] }, "\(ids)")
    }

    @Test func anEmptyImageHasNoInstances() throws {
        let found = try perform(request(), .grey(width: 320, height: 240))
        #expect(found.instances.isEmpty && found.allInstances.isEmpty && found.totalCount == 0)
        #expect(found.mask.values.allSatisfy { $0 == 0 })
    }

    @Test func refusesRevisionsThatItDoesNotHave() throws {
        let request = request()
        request.revision = 99
        #expect(throws: VisionError.self) { try perform(request, .grey(width: 64, height: 64)) }
    }
}

extension Photo {
    static let ballCenters = [Point(x: 0.3, y: 0.5), Point(x: 0.75, y: 0.6)]
    static let ballRadius = 0.2

    /// Whether a place of the unit square is in one of the balls; the picture is 3:2.
    static func isBall(_ x: Double, _ y: Double) -> Bool {
        ballCenters.contains { center in
            let (dx, dy) = (1.5 * (x - center.x), y - center.y)
            return dx * dx + dy * dy < ballRadius * ballRadius
        }
    }

    /// Two shaded balls, an orange and a green one, in front of a grey wall.
    static var balls: Photo {
        let (width, height) = (480, 320)
        var bytes: [UInt8] = []
        for y in 0..<height {
            for x in 0..<width {
                let (u, v) = ((Double(x) + 0.5) / Double(width), (Double(y) + 0.5) / Double(height))
                bytes += isBall(u, v) ? ball(u, v) : [200, 202, 205].map { $0 - UInt8(v * 40) }
            }
        }
        return Photo(width: width, height: height, bytes: bytes)
    }

    /// Returns the photo moved to the right; the left edge is repeated.
    func moved(right columns: Int) -> Photo {
        var moved = bytes
        for y in 0..<height {
            for x in 0..<width {
                let (target, source) = (3 * (y * width + x), 3 * (y * width + max(0, x - columns)))
                for channel in 0..<3 { moved[target + channel] = bytes[source + channel] }
            }
        }
        return Photo(width: width, height: height, bytes: moved)
    }

    private static func ball(_ u: Double, _ v: Double) -> [UInt8] {
        let left = u < 0.5
        let center = ballCenters[left ? 0 : 1]
        let (dx, dy) = (1.5 * (u - center.x) + 0.07, v - center.y + 0.07)
        let shade = max(0.25, 1 - 2.2 * (dx * dx + dy * dy).squareRoot())
        let color: [Double] = left ? [250, 130, 20] : [40, 170, 60]
        return color.map { UInt8($0 * shade) }
    }
}
