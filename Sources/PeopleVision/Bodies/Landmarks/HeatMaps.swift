import Glibc
package import Imaging

/// Maps of the probability that a point of a body is in a cell; they locate it more exactly than the model's coordinates.
package struct HeatMaps {
    /// Row by row; one value for each point in each cell, before the sigmoid.
    let values: UnsafeBufferPointer<Float>
    /// Cells in a row, and rows.
    let side: Int
    /// Points.
    let count: Int

    /// - Parameter values: `side` x `side` x `count`.
    package init(values: UnsafeBufferPointer<Float>, side: Int, count: Int) {
        (self.values, self.side, self.count) = (values, side, count)
    }

    /// Cells around a point's own that are used, to each side (MediaPipe's kernel of 7).
    private static let reach = 3
    /// The value, 0...1, that one cell must reach (MediaPipe's).
    private static let least = 0.5

    /// The mean of the cells around a point, weighted by their values; the point itself where none is certain.
    ///
    /// A cell's position is that of its left and upper edge, as in MediaPipe, for which the model was trained.
    ///
    /// - Parameter point: in the input's unit square.
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
        guard highest >= Self.least, sum.isFinite else { return point }
        return Point(x: sumX / sum / Double(side), y: sumY / sum / Double(side))
    }

    private func cells(around cell: Int) -> Range<Int> {
        max(0, cell - Self.reach)..<min(side, cell + Self.reach + 1)
    }
}
