/// How coarse the grid is that a blur is computed on.
///
/// Cells are as large as the blur allows, so that a weak blur costs little more than a strong one, and hold
/// whole chroma samples.
struct BlurScale: Equatable {
    /// Side of a cell in pixels.
    let cellSide: Int
    /// Variance of the blur that remains to be done on the grid, in cells squared.
    let variance: Double

    /// - Parameters:
    ///   - sigma: standard deviation of the whole blur in pixels.
    ///   - unit: pixels that share a chroma sample at most; cells are made of whole ones.
    ///   - isCoarse: whether cells may be so large that nothing remains to be done on the grid.
    /// - Returns: nil when the blur is too weak to be seen.
    init?(sigma: Double, unit: Int, isCoarse: Bool) {
        guard sigma >= 0.5 else { return nil }
        let cellsPerSigma = isCoarse ? Self.fewestCellsPerSigma : Self.cellsPerSigma
        let units = Int(sigma / (Double(unit) * cellsPerSigma))
        cellSide = unit * max(1, min(units, Self.largestSide / unit))
        let sigmaInCells = sigma / Double(cellSide)
        // Averaging a cell has the variance 1/12, the spline between cells 1/4.
        variance = max(0, sigmaInCells * sigmaInCells - 1.0 / 3)
    }

    /// Fewer cells per standard deviation would make an edge's blur depend on where in a cell it lies.
    private static let cellsPerSigma = 0.9
    /// The square root of the spline's and a cell's own variance.
    private static let fewestCellsPerSigma = 0.577
    /// Coarser cells would save nothing: reading the frame costs more than the blur then.
    private static let largestSide = 8
}
