import Imaging
import PeopleVision
import TestSupport
import Testing

/// Tests that the quality falls with every fault and is highest for the best image of a burst.
@Suite struct CaptureQualityTests {
    private let portrait: Photo
    private let request = DetectFaceCaptureQualityRequest()

    init() throws {
        portrait = try #require(Photo.portrait)
        request.modelPath = Checkout.setup.appendingPathComponent("models").path
    }

    /// Returns the quality of the first face, or 0 without a face.
    private func quality(_ photo: Photo) throws -> Double {
        try request.faces(in: photo).first.flatMap(\.captureQuality) ?? 0
    }

    private func expectFalling(_ photos: [Photo], _ why: String) throws {
        let qualities = try photos.map(quality)
        #expect(qualities.allSatisfy { (0...1).contains($0) })
        for (before, after) in zip(qualities, qualities.dropFirst()) {
            #expect(after < before, "\(why): \(qualities)")
        }
        #expect((qualities.last ?? 1) < 0.6 * (qualities.first ?? 0), "\(why): \(qualities)")
    }

    @Test func aGoodPortraitHasAHighQuality() throws { #expect(try quality(portrait) > 0.5) }

    @Test func fallsWithBlur() throws {
        try expectFalling([0, 1, 2, 3, 5, 8].map { portrait.blurred(radius: $0) }, "blur")
    }

    @Test func fallsWithNoise() throws {
        let noisy = [4, 8, 16, 32, 48].map { portrait.noisy(deviation: $0, seed: 5) }
        try expectFalling([portrait] + noisy, "noise")
    }

    @Test func fallsWithDarknessAndGlare() throws {
        try expectFalling([1, 0.7, 0.5, 0.35, 0.2, 0.1].map { portrait.exposed($0) }, "darkness")
        try expectFalling([1, 1.15, 1.3, 1.6, 2].map { portrait.exposed($0) }, "glare")
    }

    @Test func fallsWithFog() throws {
        try expectFalling([0, 0.3, 0.5, 0.7, 0.85].map { portrait.faded($0) }, "fog")
    }

    @Test func fallsWithDistance() throws {
        let far = [1, 0.7, 0.5, 0.35].map {
            portrait.placed(left: 100, top: 60, width: 512, height: 512, factor: $0)
        }
        try expectFalling(far, "distance")
    }

    @Test func fallsWhenSomethingHidesTheFace() throws {
        // Covered from the chin upwards.
        let hidden = [165, 150, 138, 126].map { portrait.covered(160..<290, $0..<180) }
        let qualities = try ([portrait] + hidden).map(quality)
        #expect((qualities.last ?? 1) < 0.6 * (qualities.first ?? 0), "\(qualities)")
        #expect(qualities.max() == qualities.first, "\(qualities)")
    }

    @Test func fallsWhenTheHeadIsTilted() throws {
        let upright = portrait.rotated(degrees: 2)
        try expectFalling([upright] + [40, 80, 120].map { portrait.rotated(degrees: $0) }, "tilt")
    }

    @Test func fallsWithTurnAndNod() {
        for turn in [HeadPose(roll: 0, yaw: 1, pitch: 0), HeadPose(roll: 0, yaw: 0, pitch: -1)] {
            var last = 1.1
            for degrees in stride(from: 0.0, through: 75, by: 5) {
                var quality = CaptureQuality()
                let angle = degrees * .pi / 180
                quality.rate(
                    side: 200, HeadPose(roll: 0, yaw: turn.yaw * angle, pitch: turn.pitch * angle))
                #expect(quality.value < last)
                last = quality.value
            }
        }
    }

    /// The portrait's lids are shut step by step in its mesh.
    @Test func fallsAsTheEyesShut() throws {
        let expression = try FaceExpression(.forTests)
        let face = try #require(try request.faces(in: portrait).first)
        let mesh = face.mesh.map { SIMD3($0.position.x * 512, $0.position.y * 512, $0.depth * 512) }
        var shut: [Double] = []
        for share in [0, 0.4, 0.7, 1] {
            #expect(try expression.read(Self.lids(of: mesh, shut: share)))
            shut.append(expression.eyesShut)
        }
        #expect(shut == shut.sorted() && (shut.first ?? 1) < 0.25 && (shut.last ?? 0) > 0.5, "\(shut)")
        let qualities = shut.map { eyesShut in
            var quality = CaptureQuality()
            quality.rate(presence: 1, eyesShut: eyesShut, grimace: 0)
            return quality.value
        }
        #expect(qualities == qualities.sorted().reversed())
    }

    /// Returns a mesh with the upper lids moved towards the points of the lower lids that they meet.
    private static func lids(of mesh: [SIMD3<Double>], shut share: Double) -> [SIMD3<Double>] {
        var mesh = mesh
        let pairs = [
            (246, 7), (161, 163), (160, 144), (159, 145), (158, 153), (157, 154), (173, 155), (466, 249),
            (388, 390), (387, 373), (386, 374), (385, 380), (384, 381), (398, 382),
        ]
        for (upper, lower) in pairs { mesh[upper] += (mesh[lower] - mesh[upper]) * share }
        return mesh
    }

    @Test func picksTheBestOfABurst() throws {
        var burst = [
            portrait, portrait.blurred(radius: 2), portrait.noisy(deviation: 12, seed: 1),
            portrait.exposed(0.5), portrait.rotated(degrees: 25), portrait.covered(170..<280, 125..<170),
        ]
        var generator = SeededGenerator(seed: 3)
        burst.shuffle(using: &generator)
        let qualities = try burst.map(quality)
        let best = try #require(qualities.indices.max { qualities[$0] < qualities[$1] })
        let isThePortrait = burst[best].bytes == portrait.bytes
        #expect(isThePortrait, "\(qualities)")
    }

    @Test func qualityIsOnlyMeasuredOnRequest() throws {
        let plain = DetectFaceRectanglesRequest.forTests()
        let face = try #require(try plain.faces(in: portrait).first)
        #expect(face.captureQuality == nil)
    }
}
