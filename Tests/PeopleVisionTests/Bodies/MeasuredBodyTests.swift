import Foundation
import Imaging
import PeopleVision
import TestSupport
import Testing

/// Tests of the size and place of a body with exact distances.
@Suite struct MeasuredBodyTests {
    private static let size = Size(width: 1280, height: 720)
    private static let focalLength = 900.0
    private static let camera = Camera(2 * atan(360 / focalLength), size)

    /// A body, and a depth camera's measurements at its points in the image.
    private struct Scene {
        let body: SyntheticBody
        /// The size of the model's body, as a multiple of the true one.
        let factor: Double
        let seen: BodyLandmarks

        /// - Parameter scale: The size of the true body, as a fraction of one of 1.8 m.
        init(root: SIMD3<Double>, scale: Double, factor: Double) {
            var body = SyntheticBody(root: root)
            body.points = body.points.map { $0 * scale }
            (self.body, self.factor) = (body, factor)
            seen = body.seen(
                focalLength: MeasuredBodyTests.focalLength, size: MeasuredBodyTests.size, factor: factor)
        }

        /// Returns the distance of the skin in front of the point nearest to a pixel, in metres.
        func distance(_ pixel: Point) -> Double? {
            func apart(_ index: Int) -> Double {
                hypot(seen.points[index].x - pixel.x, seen.points[index].y - pixel.y)
            }
            let nearest = seen.points.indices.min { apart($0) < apart($1) }
            return nearest.map { -body.camera($0).z - BodyPlacement.depthBelowSkin($0) / factor }
        }
    }

    private static let roots = [SIMD3(0.0, 0, -3), SIMD3(1.2, 0.3, -4), SIMD3(-0.8, -0.4, -2.5)]

    private func measured(
        _ scene: Scene, _ distance: (Point) -> Double?
    ) throws -> (isMeasured: Bool, placement: BodyPlacement) {
        var placement = BodyPlacement()
        let isPlaced = placement.place(scene.seen, Self.camera)
        try #require(isPlaced)
        let isMeasured = placement.measure(scene.seen, Self.camera, distance: distance)
        return (isMeasured, placement)
    }

    /// Places are true whatever the size of the model's body.
    @Test(arguments: roots, [0.6, 1.0])
    func findsTheTruePlacesOfAllPoints(_ root: SIMD3<Double>, scale: Double) throws {
        for factor in [0.8, 1, 1.3] {
            let scene = Scene(root: root, scale: scale, factor: factor)
            let (isMeasured, placement) = try measured(scene, scene.distance)
            #expect(isMeasured)
            for (index, point) in placement.points.enumerated() {
                #expect((point - scene.body.camera(index)).norm < 1e-6, "point \(index)")
            }
        }
    }

    /// Some points are hidden by an object, some show a wall behind them, and some have no distance.
    @Test func findsThePlacesWithAThirdOfTheDepthsWrong() throws {
        let scene = Scene(root: Self.roots[1], scale: 0.9, factor: 1.1)
        var count = 0
        let (isMeasured, placement) = try measured(scene) { pixel in
            count += 1
            return switch count % 6 {
            case 0: 0.5
            case 2: 9
            case 4: nil
            default: scene.distance(pixel)
            }
        }
        #expect(isMeasured)
        for (index, point) in placement.points.enumerated() {
            #expect((point - scene.body.camera(index)).norm < 1e-6, "point \(index)")
        }
    }

    /// An arm is further to the front than the model assumes.
    @Test func pointsMoveToTheirMeasuredDepth() throws {
        let scene = Scene(root: Self.roots[0], scale: 1, factor: 1)
        let wrist = scene.seen.points[BodyPoint.leftWrist.rawValue]
        let (_, placement) = try measured(scene) { pixel in
            let isWrist = hypot(pixel.x - wrist.x, pixel.y - wrist.y) < 1e-9
            return scene.distance(pixel).map { $0 - (isWrist ? 0.2 : 0) }
        }
        let truth = scene.body.camera(BodyPoint.leftWrist.rawValue)
        let found = placement.points[BodyPoint.leftWrist.rawValue]
        #expect(abs(found.z - truth.z - 0.2) < 1e-6)
        // The wrist is still on its line of sight.
        #expect(
            abs(found.x / found.z - truth.x / truth.z) < 1e-9
                && abs(found.y / found.z - truth.y / truth.z) < 1e-9)
    }

    @Test func tooFewDepthsChangeNothing() throws {
        let scene = Scene(root: Self.roots[2], scale: 0.7, factor: 1)
        var before = BodyPlacement()
        let isPlaced = before.place(scene.seen, Self.camera)
        try #require(isPlaced)
        var count = 0
        let (isMeasured, placement) = try measured(scene) { pixel in
            count += 1
            return count < 5 ? scene.distance(pixel) : nil
        }
        #expect(!isMeasured && placement.points == before.points)
    }

    /// Noise of 2 cm moves a still body by less than half of that, while a step of 30 cm is followed.
    @Test func distancesAreSteadiedInStreams() throws {
        let scene = Scene(root: Self.roots[1], scale: 1, factor: 1)
        var random = SeededGenerator(seed: 1)
        var (smoother, placement) = (DistanceSmoother(), BodyPlacement())
        func places(_ offset: Double) -> (raw: SIMD3<Double>, steady: SIMD3<Double>) {
            let isPlaced = placement.place(scene.seen, Self.camera)
            let isMeasured = placement.measure(scene.seen, Self.camera) { pixel in
                scene.distance(pixel).map { $0 + offset + Double.random(in: -0.02...0.02, using: &random) }
            }
            #expect(isPlaced && isMeasured)
            let raw = placement.points[BodyPoint.nose.rawValue]
            placement.smooth(with: &smoother, interval: 1.0 / 30, strength: 0.5)
            return (raw, placement.points[BodyPoint.nose.rawValue])
        }
        let still = (0..<90).map { _ in places(0) }.dropFirst(30)
        func spread(_ values: [Double]) -> Double {
            let mean = values.reduce(0, +) / Double(values.count)
            return (values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count)).squareRoot()
        }
        #expect(spread(still.map(\.steady.z)) < 0.5 * spread(still.map(\.raw.z)))
        for (raw, steady) in still { #expect(abs(raw.x / raw.z - steady.x / steady.z) < 1e-9) }
        let stepped = (0..<6).map { _ in places(0.3) }
        #expect(abs(stepped[5].steady.z - stepped[5].raw.z) < 0.05, "\(stepped)")
    }

    @Test(arguments: roots) func theHeightIsMeasured(_ root: SIMD3<Double>) throws {
        func pose(_ scale: Double) throws -> HumanBodyPose3DObservation {
            let scene = Scene(root: root, scale: scale, factor: 1.2)
            let (isMeasured, placement) = try measured(scene, scene.distance)
            var memory: [SIMD3<Double>] = []
            let pose = HumanBodyPose3DObservation(
                placement, Self.camera, size: Self.size, toStored: .identity,
                height: isMeasured ? nil : 1.8, &memory)
            return try #require(pose)
        }
        let (adult, child) = (try pose(1), try pose(0.6))
        #expect(adult.heightEstimation == .measured && abs(adult.bodyHeight - 1.8) < 0.18)
        #expect(abs(child.bodyHeight / adult.bodyHeight - 0.6) < 1e-6)
        // The hips are in their true place, and project to it.
        for pose in [adult, child] {
            #expect((pose.rootPosition - root).norm < 1e-6)
            let place = try #require(pose.pointInImage(for: .root))
            #expect(abs(place.x * 1280 - 640 + Self.focalLength * root.x / root.z) < 1e-6)
        }
    }
}
