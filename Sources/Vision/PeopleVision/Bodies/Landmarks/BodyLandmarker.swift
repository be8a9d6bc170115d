import Glibc
package import Imaging

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
