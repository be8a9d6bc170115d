/// How coarse the grid is that a blur is computed on.
///
/// Cells are small against the blur, so that linear interpolation between them shows no structure (it
/// is off by 1 % of an edge's height), and hold whole chroma samples.
struct BlurScale: Equatable {
    /// Side of a cell in pixels, even.
    let cellSide: Int
    /// Variance of the blur that remains to be done on the grid, in cells squared.
    let variance: Double

    /// - Parameter sigma: standard deviation of the whole blur in pixels.
    /// - Returns: nil when the blur is too weak to be seen.
    init?(sigma: Double) {
        guard sigma >= 0.5 else { return nil }
        cellSide = 2 * max(1, min(Int(sigma / (2 * Self.cellsPerSigma)), Self.largestSide / 2))
        let sigmaInCells = sigma / Double(cellSide)
        // Averaging a cell has the variance 1/12, interpolating between cells 1/6.
        variance = max(0, sigmaInCells * sigmaInCells - 0.25)
    }

    /// Fewer cells per standard deviation would show as facets.
    private static let cellsPerSigma = 1.5
    /// Coarser cells would save nothing: reading the frame costs more than the blur then.
    private static let largestSide = 8
}
