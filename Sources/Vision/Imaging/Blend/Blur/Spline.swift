/// A position in a quadratic B-spline: three rows of cells, one after the other, and their weights.
///
/// This interpolation is smooth (its slope has no steps), and blurs with a variance of 1/4 cells.
struct SplineTap {
    /// Number of the middle row.
    let index: Int
    let weights: SplineWeights

    /// Creates the tap for the middle of a row of samples.
    ///
    /// - Parameters:
    ///   - perCell: number of rows of samples in a row of cells.
    ///   - cells: number of rows of cells; positions outside of their middles read the outermost.
    init(_ row: Int, perCell: Int, cells: Int) {
        index = min(row / perCell, cells - 1)
        let position = (Float(row) + 0.5) / Float(perCell) - 0.5
        let inside = min(max(position, 0), Float(cells - 1))
        weights = SplineWeights(distance: inside - Float(index))
    }
}

/// Weights of three neighbours in a quadratic B-spline.
package struct SplineWeights: BitwiseCopyable {
    let above: Float
    let below: Float
    var middle: Float { 1 - above - below }

    /// Creates the weights at a distance from the middle of the middle neighbour, -0.5...0.5, in cells.
    init(distance: Float) {
        let (before, behind) = (0.5 - distance, 0.5 + distance)
        (above, below) = (before * before / 2, behind * behind / 2)
    }
}

/// Three rows of values between which a spline interpolates.
package struct SplineRows {
    let above: UnsafePointer<Float>
    let middle: UnsafePointer<Float>
    let below: UnsafePointer<Float>

    /// Returns the values from number `first` on.
    static func + (rows: SplineRows, first: Int) -> SplineRows {
        SplineRows(above: rows.above + first, middle: rows.middle + first, below: rows.below + first)
    }
}
