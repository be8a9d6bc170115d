/// How coarse the grid is that a blur is computed on.
///
/// Cells are small against the blur, so that linear interpolation between them shows no structure (it
/// is off by 1 % of an edge's height), and hold whole chroma samples.
struct BlurScale: Equatable {
    /// Side of a cell in pixels.
    let cellSide: Int
    /// Variance of the blur that remains to be done on the grid, in cells squared.
    let variance: Double

    /// - Parameters:
    ///   - sigma: standard deviation of the whole blur in pixels.
    ///   - unit: pixels that share a chroma sample at most; cells are made of whole ones.
    /// - Returns: nil when the blur is too weak to be seen.
    init?(sigma: Double, unit: Int) {
        guard sigma >= 0.5 else { return nil }
        let units = Int(sigma / (Double(unit) * Self.cellsPerSigma))
        cellSide = unit * max(1, min(units, Self.largestSide / unit))
        let sigmaInCells = sigma / Double(cellSide)
        // Averaging a cell has the variance 1/12, interpolating between cells 1/6.
        variance = max(0, sigmaInCells * sigmaInCells - 0.25)
    }

    /// Fewer cells per standard deviation would show as facets.
    private static let cellsPerSigma = 1.5
    /// Coarser cells would save nothing: reading the frame costs more than the blur then.
    private static let largestSide = 8
}
