import Glibc
package import Imaging

/// The 33 points of a body in an image, in BlazePose's order, and in space.
package struct BodyLandmarks {
    /// The points: x and y in pixels of the upright frame, and confidence, 0...1.
    package var points = [SIMD3<Double>](repeating: SIMD3(), count: pointCount)
    /// The points in metres from the centre of the hips, for the model's average body: x to the right, y up,
    /// z against the line of sight through the crop's centre.
    package var world = [SIMD3<Double>](repeating: SIMD3(), count: pointCount)
    /// The crop in which the body was found.
    package var crop = RotatedSquare(center: Point(x: 0, y: 0), side: 0, angle: 0)
    /// The crop for the next frame.
    package var nextCrop = RotatedSquare(center: Point(x: 0, y: 0), side: 0, angle: 0)
    /// The model's certainty that there is a body, 0...1.
    package var presence = 0.0

    package static let pointCount = 33
    /// Side of a crop, as a share of the diameter of the circle around the body (MediaPipe's value).
    static let cropScale = 1.25

    package init() {}

    /// Returns the crop that shows a body upright.
    ///
    /// - Parameters:
    ///   - hips: the centre of the circle around the body.
    ///   - above: the intersection of the circle with the line through hips and head.
    package static func crop(hips: Point, above: Point) -> RotatedSquare {
        let (x, y) = (above.x - hips.x, above.y - hips.y)
        return RotatedSquare(center: hips, side: 2 * hypot(x, y) * cropScale, angle: atan2(x, -y))
    }

    func point(_ index: BodyPoint) -> Point {
        Point(x: points[index.rawValue].x, y: points[index.rawValue].y)
    }

    func confidence(_ index: BodyPoint) -> Double { points[index.rawValue].z }

    /// Height of a body in space, in metres; speeds in space are relative to it.
    package static let height = 2.0

    /// Smooths the points, which were measured `interval` seconds after the last ones.
    package mutating func smooth(with smoother: inout LandmarkSmoother, interval: Double, strength: Double) {
        smoother.smooth(&points, &world, size: crop.side, interval: interval, strength: strength)
    }

    /// Moves the points, and the crop for the next frame, along with the image.
    mutating func move(by steps: LandmarkSteps) {
        steps.move(&points, &world)
        nextCrop.center = nextCrop.center + steps.ofOrigin
    }

    /// Whether a point is more certainly in the image, and not hidden, than not.
    func isSeen(_ index: Int) -> Bool { points[index].z >= 0.5 }

    /// The points in whose middle the space has its origin, the hips.
    static let origin = BodyPoint.leftHip.rawValue...BodyPoint.rightHip.rawValue

    /// Copies the values of another body; allocates nothing.
    mutating func copy(_ other: BodyLandmarks) {
        for index in points.indices {
            points[index] = other.points[index]
            world[index] = other.world[index]
        }
        (crop, nextCrop, presence) = (other.crop, other.nextCrop, other.presence)
    }
}

/// The named points, by their numbers.
package enum BodyPoint: Int, Sendable {
    case nose = 0
    case leftEye = 2
    case rightEye = 5
    case leftEar = 7
    case rightEar = 8
    case leftMouth = 9
    case rightMouth = 10
    case leftShoulder = 11
    case rightShoulder = 12
    case leftElbow = 13
    case rightElbow = 14
    case leftWrist = 15
    case rightWrist = 16
    case leftHip = 23
    case rightHip = 24
    case leftKnee = 25
    case rightKnee = 26
    case leftAnkle = 27
    case rightAnkle = 28

    /// The first point of the legs; the points before it belong to head, arms, hands and hips.
    static let legs = 25
}

// MARK: - Geometry

extension BodyLandmarks {
    /// Returns the middle of two points.
    func middle(_ a: BodyPoint, _ b: BodyPoint) -> Point { (point(a) + point(b)) * 0.5 }

    /// The longer diagonal from a shoulder to the opposite hip, in pixels.
    var torso: Double {
        let (a, b) = (point(.leftShoulder) - point(.rightHip), point(.rightShoulder) - point(.leftHip))
        return max(hypot(a.x, a.y), hypot(b.x, b.y))
    }

    /// Whether another body is this one: nose, shoulders and hips lie within a quarter of a torso of each
    /// other on average.
    package func isSame(as other: BodyLandmarks) -> Bool {
        let corners: [BodyPoint] = [.nose, .leftShoulder, .rightShoulder, .leftHip, .rightHip]
        var sum = 0.0
        for corner in corners {
            let difference = point(corner) - other.point(corner)
            sum += hypot(difference.x, difference.y)
        }
        return sum / Double(corners.count) < Self.sameDistance * max(torso, other.torso)
    }

    private static let sameDistance = 0.25

    /// Returns the agreement of two bodies found for one person, 0...1.
    ///
    /// It counts the joints that at least one body has in a frame of `size` pixels, because outside joints
    /// are guessed.
    package func agreement(with other: BodyLandmarks, in size: Size) -> Double {
        let scale = Self.tolerance * (torso + other.torso) / 2
        guard scale > 0 else { return 0 }
        let frame = Rectangle(x: 0, y: 0, width: size.width, height: size.height)
        var (sum, count) = (0.0, 0.0)
        for joint in Self.limbs {
            let (a, b) = (point(joint), other.point(joint))
            guard frame.contains(a) || frame.contains(b) else { continue }
            let difference = (a - b) * (1 / scale)
            sum += exp(-(difference.x * difference.x + difference.y * difference.y) / 2)
            count += 1
        }
        return count > 0 ? sum / count : 0
    }

    /// The standard deviation of the distance between joints, as a share of the torso (that of PCK@0.2).
    private static let tolerance = 0.2
    /// Joints of arms and legs, with the trunk's corners.
    private static let limbs: [BodyPoint] = [
        .leftShoulder, .rightShoulder, .leftElbow, .rightElbow, .leftWrist, .rightWrist, .leftHip, .rightHip,
        .leftKnee, .rightKnee, .leftAnkle, .rightAnkle,
    ]

    /// Returns the box around the visible part of the body, or of its upper half, within a frame of `size`
    /// pixels.
    package func box(upperBody: Bool, in size: Size) -> Rectangle {
        var (low, high) = (SIMD2(size.width, size.height), SIMD2(0.0, 0.0))
        let frame = SIMD2(size.width, size.height)
        func take(_ x: Double, _ y: Double) {
            let place = SIMD2(x, y).clamped(lowerBound: SIMD2(), upperBound: frame)
            low = pointwiseMin(low, place)
            high = pointwiseMax(high, place)
        }
        let threshold = min(Self.minimumConfidence, points.lazy.map(\.z).max() ?? 0)
        for point in points.prefix(upperBody ? BodyPoint.legs : points.count) where point.z >= threshold {
            take(point.x, point.y)
        }
        if confidence(.nose) >= threshold { take(crown.x, crown.y) }
        let margin = Self.margin * torso
        take(low.x - margin, low.y - margin)
        take(high.x + margin, high.y + margin)
        return Rectangle(
            x: low.x, y: low.y, width: max(0, high.x - low.x), height: max(0, high.y - low.y))
    }

    /// Confidence, 0...1, below which points are hidden or outside of the image.
    private static let minimumConfidence = 0.3
    /// Distance from the points, which lie inside the body, to its outline, as a share of the torso.
    private static let margin = 0.08

    /// The top of the head: twice as far above the eyes as the mouth is below.
    private var crown: Point {
        let (eyes, mouth) = (middle(.leftEye, .rightEye), middle(.leftMouth, .rightMouth))
        return eyes + (eyes - mouth) * 2
    }
}

/// Finds the points of a body in a crop.
final class BodyLandmarker {
    /// The model of MediaPipe's pose, complexity 1.
    static let name = "pose_landmark_full"

    private let model: ImageModel
    /// Number of points that the model returns: the body's, two for the next crop, and others.
    private let count: Int
    private let heatMapSide: Int

    /// Number of values of a point: x, y, z, visibility, presence.
    private static let valuesPerPoint = 5
    /// Indices of the centre of the hips, and of a point above it on the circle around the body.
    private static let (hips, above) = (33, 34)

    init(_ setup: ModelSetup) throws(VisionError) {
        model = try ImageModel(Self.name, filter: .bilinear, setup)
        guard let count = model.info.facts["landmarks"]?["count"]?.integer,
            (Self.above + 1...1000).contains(count)
        else { throw model.unsupported("its description does not say how its outputs are read") }
        self.count = count
        let cells = model.outputCounts.count > 2 ? model.outputCounts[2] / count : 0
        heatMapSide = Int(Double(cells).squareRoot())
        guard heatMapSide > 0, heatMapSide * heatMapSide == cells else {
            throw model.unsupported("its third output is no square of heat maps")
        }
        _ = try outputs()
    }

    /// Finds the points of the body in `crop`.
    ///
    /// - Returns: the model's certainty that there is a body, 0...1; `body` is undefined when that is 0.
    func find(
        in frame: UprightFrame, _ crop: RotatedSquare, into body: inout BodyLandmarks
    ) throws(VisionError) -> Double {
        body.presence = 0
        guard crop.isUsable else { return 0 }
        try model.run(on: frame.image, region: frame.region(of: crop))
        let outputs = try outputs()
        let presence = Double(outputs.presence[0])
        guard presence.isFinite, outputs.areFinite else { return 0 }
        let maps = HeatMaps(values: outputs.heat, side: heatMapSide, count: count)
        for index in 0..<BodyLandmarks.pointCount {
            let place = crop.pixels(place(index, outputs.points, maps))
            body.points[index] = SIMD3(place.x, place.y, confidence(index, outputs.points))
            let start = 3 * index
            // The crop is rotated with the body, and so are the model's axes.
            body.world[index] = crop.upright(
                outputs.world[start], outputs.world[start + 1], outputs.world[start + 2])
        }
        body.crop = crop
        body.nextCrop = BodyLandmarks.crop(
            hips: crop.pixels(place(Self.hips, outputs.points, maps)),
            above: crop.pixels(place(Self.above, outputs.points, maps)))
        body.presence = min(max(presence, 0), 1)
        return body.presence
    }

    private struct Outputs {
        let points: UnsafeBufferPointer<Float>
        let presence: UnsafeBufferPointer<Float>
        let heat: UnsafeBufferPointer<Float>
        let world: UnsafeBufferPointer<Float>

        var areFinite: Bool { points.allSatisfy(\.isFinite) && world.allSatisfy(\.isFinite) }
    }

    private func outputs() throws(VisionError) -> Outputs {
        Outputs(
            points: try model.output(0, count: count * Self.valuesPerPoint),
            presence: try model.output(1, count: 1),
            heat: try model.output(2, count: heatMapSide * heatMapSide * count),
            world: try model.output(3, count: 3 * count))
    }

    /// Returns a point's place in the crop's unit square.
    private func place(_ index: Int, _ points: UnsafeBufferPointer<Float>, _ maps: HeatMaps) -> Point {
        let start = index * Self.valuesPerPoint
        let place = Point(
            x: Double(points[start]) / Double(model.width),
            y: Double(points[start + 1]) / Double(model.height))
        return maps.refined(place, index)
    }

    /// Returns the model's confidence that the point is in the image and not hidden, 0...1.
    private func confidence(_ index: Int, _ points: UnsafeBufferPointer<Float>) -> Double {
        let start = index * Self.valuesPerPoint
        return 1 / (1 + exp(-Double(min(points[start + 3], points[start + 4]))))
    }
}

/// Maps of the probability that a point of a body is in a cell; they are more exact than the model's
/// coordinates.
package struct HeatMaps {
    /// The values row by row; one value for each point in each cell, before the sigmoid.
    let values: UnsafeBufferPointer<Float>
    /// Number of cells in a row, and of rows.
    let side: Int
    /// Number of points.
    let count: Int

    /// Creates maps.
    ///
    /// - Parameter values: `side` x `side` x `count` values.
    package init(values: UnsafeBufferPointer<Float>, side: Int, count: Int) {
        (self.values, self.side, self.count) = (values, side, count)
    }

    /// Number of cells to each side of a point's own cell that are used (MediaPipe's kernel of 7).
    private static let reach = 3
    /// The minimum value of at least one cell, 0...1 (MediaPipe's).
    private static let minimumProbability = 0.5

    /// Returns the mean of the cells around a point, weighted by their values, or the point itself where no
    /// cell is certain.
    ///
    /// A cell's position is that of its left and upper edge, as in MediaPipe, for which the model was
    /// trained.
    ///
    /// - Parameter point: a point in the input's unit square.
    package func refined(_ point: Point, _ index: Int) -> Point {
        let (column, row) = ((point.x * Double(side)).rounded(.down), (point.y * Double(side)).rounded(.down))
        let inside = 0..<Double(side)
        guard inside.contains(column), inside.contains(row) else { return point }
        var (sum, sumX, sumY, highest) = (0.0, 0.0, 0.0, 0.0)
        for y in cells(around: Int(row)) {
            for x in cells(around: Int(column)) {
                let value = 1 / (1 + exp(-Double(values[(y * side + x) * count + index])))
                highest = max(highest, value)
                sum += value
                sumX += value * Double(x)
                sumY += value * Double(y)
            }
        }
        guard highest >= Self.minimumProbability, sum.isFinite else { return point }
        return Point(x: sumX / sum / Double(side), y: sumY / sum / Double(side))
    }

    private func cells(around cell: Int) -> Range<Int> {
        max(0, cell - Self.reach)..<min(side, cell + Self.reach + 1)
    }
}
