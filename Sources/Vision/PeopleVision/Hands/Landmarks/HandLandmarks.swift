import Glibc
package import Imaging

/// The 21 points of a hand in an image, in MediaPipe's order, and in space.
package struct HandLandmarks {
    /// The points, x and y in pixels of the upright frame; the third value is not used.
    package var points = [SIMD3<Double>](repeating: SIMD3(), count: pointCount)
    /// The points in metres from the middle of the hand, for the model's average hand: x to the right, y up,
    /// z against the line of sight.
    package var world = [SIMD3<Double>](repeating: SIMD3(), count: pointCount)
    /// The model's certainty that there is a hand, 0...1.
    package var presence = 0.0
    /// The model's certainty that it is a right hand, 0...1.
    package var rightness = 0.5

    package static let pointCount = 21
    /// Length of a hand in space, in metres; speeds in space are relative to it.
    package static let length = 0.2

    package init() {}

    package func point(_ index: Int) -> Point { Point(x: points[index].x, y: points[index].y) }

    /// Copies the values of another hand; allocates nothing.
    mutating func copy(_ other: HandLandmarks) {
        for index in points.indices {
            points[index] = other.points[index]
            world[index] = other.world[index]
        }
        (presence, rightness) = (other.presence, other.rightness)
    }

    /// Smooths the points, which were measured `interval` seconds after the last ones.
    package mutating func smooth(with smoother: inout LandmarkSmoother, interval: Double, strength: Double) {
        smoother.smooth(&points, &world, size: size, interval: interval, strength: strength)
    }
}

// MARK: - Geometry

extension HandLandmarks {
    /// The upright box around all points, in pixels.
    package var box: Rectangle {
        var (low, high) = (points[0], points[0])
        for point in points {
            low = pointwiseMin(low, point)
            high = pointwiseMax(high, point)
        }
        return Rectangle(x: low.x, y: low.y, width: high.x - low.x, height: high.y - low.y)
    }

    /// The longer side of the box.
    var size: Double { max(box.width, box.height) }

    /// Whether another hand is this one: their points lie within a fifth of the hand's size of each other on
    /// average.
    package func isSame(as other: HandLandmarks) -> Bool {
        var sum = 0.0
        for index in points.indices {
            let difference = point(index) - other.point(index)
            sum += hypot(difference.x, difference.y)
        }
        return sum / Double(points.count) < Self.sameDistance * max(size, other.size)
    }

    private static let sameDistance = 0.2

    /// Returns the crop in which to find a hand by its palm.
    ///
    /// It is moved towards the fingers by half of the palm's height, and enlarged (MediaPipe's values).
    ///
    /// - Parameters:
    ///   - palm: box of the palm, in pixels.
    ///   - wrist: centre of the wrist.
    ///   - knuckle: knuckle of the middle finger.
    package static func crop(palm: Rectangle, wrist: Point, knuckle: Point) -> RotatedSquare {
        let angle = turn(from: wrist, to: knuckle)
        let shift = palmShift * palm.height
        return RotatedSquare(
            center: Point(x: palm.center.x + sin(angle) * shift, y: palm.center.y - cos(angle) * shift),
            side: palmScale * max(palm.width, palm.height), angle: angle)
    }

    private static let palmShift = 0.5
    private static let palmScale = 2.6

    /// The crop for the next frame: the rotated box around palm and lower joints, moved towards the fingers
    /// and enlarged (MediaPipe's values).
    package var nextCrop: RotatedSquare {
        let knuckles = ((point(Self.indexMCP) + point(Self.ringMCP)) * 0.5 + point(Self.middleMCP)) * 0.5
        let angle = Self.turn(from: point(0), to: knuckles)
        let (cosine, sine) = (cos(angle), sin(angle))
        var low = SIMD2(Double.infinity, .infinity)
        var high = -low
        for index in Self.cropPoints {
            let point = points[index]
            let rotated = SIMD2(cosine * point.x + sine * point.y, cosine * point.y - sine * point.x)
            low = pointwiseMin(low, rotated)
            high = pointwiseMax(high, rotated)
        }
        let extent = high - low
        let center = (low + high) / 2 - SIMD2(0, Self.nextShift * extent.y)
        return RotatedSquare(
            center: Point(x: cosine * center.x - sine * center.y, y: sine * center.x + cosine * center.y),
            side: Self.nextScale * extent.max(), angle: angle)
    }

    private static let (indexMCP, middleMCP, ringMCP) = (5, 9, 13)
    private static let cropPoints = [0, 1, 2, 3, 5, 6, 9, 10, 13, 14, 17, 18]
    private static let nextShift = 0.1
    private static let nextScale = 2.0

    /// Returns the rotation of a hand, clockwise; 0 with the fingers up.
    private static func turn(from wrist: Point, to knuckle: Point) -> Double {
        atan2(knuckle.x - wrist.x, wrist.y - knuckle.y)
    }
}

/// Finds the points of a hand in a crop.
final class HandLandmarker {
    /// The model of MediaPipe Hands, complexity 1.
    static let name = "hand_landmark_full"

    private let model: ImageModel

    init(_ setup: ModelSetup) throws(VisionError) {
        model = try ImageModel(Self.name, filter: .bilinear, border: .black, setup)
        _ = try outputs()
    }

    /// Finds the points of the hand in `crop`.
    ///
    /// - Returns: the model's certainty that there is a hand, 0...1; `hand` is undefined when that is 0.
    func find(
        in frame: UprightFrame, _ crop: RotatedSquare, into hand: inout HandLandmarks
    ) throws(VisionError) -> Double {
        hand.presence = 0
        guard crop.isUsable else { return 0 }
        try model.run(on: frame.image, region: frame.region(of: crop))
        let outputs = try outputs()
        let (presence, rightness) = (Double(outputs.presence[0]), Double(outputs.rightness[0]))
        guard presence.isFinite, rightness.isFinite, outputs.areFinite else { return 0 }
        for index in 0..<HandLandmarks.pointCount {
            let start = 3 * index
            let place = crop.pixels(
                Point(
                    x: Double(outputs.points[start]) / Double(model.width),
                    y: Double(outputs.points[start + 1]) / Double(model.height)))
            hand.points[index] = SIMD3(place.x, place.y, 0)
            // The crop is rotated with the hand, and so are the model's axes.
            hand.world[index] = crop.upright(
                outputs.world[start], outputs.world[start + 1], outputs.world[start + 2])
        }
        hand.presence = min(max(presence, 0), 1)
        hand.rightness = min(max(rightness, 0), 1)
        return hand.presence
    }

    private struct Outputs {
        let points: UnsafeBufferPointer<Float>
        let presence: UnsafeBufferPointer<Float>
        let rightness: UnsafeBufferPointer<Float>
        let world: UnsafeBufferPointer<Float>

        var areFinite: Bool { points.allSatisfy(\.isFinite) && world.allSatisfy(\.isFinite) }
    }

    private func outputs() throws(VisionError) -> Outputs {
        Outputs(
            points: try model.output(0, count: 3 * HandLandmarks.pointCount),
            presence: try model.output(1, count: 1), rightness: try model.output(2, count: 1),
            world: try model.output(3, count: 3 * HandLandmarks.pointCount))
    }
}
