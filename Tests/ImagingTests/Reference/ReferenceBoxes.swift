/// The blur of a grid by three boxes each way, mirrored at its edges, as a plain convolution in doubles.
///
/// A box contains whole samples and a fraction of one more on each side, chosen so that its variance is
/// exact.
struct ReferenceBoxes {
    /// Weights of one box from its left to its right end.
    private let weights: [Double]

    /// Makes the weights.
    ///
    /// - Parameter variance: variance of all three boxes, in samples squared.
    init(variance: Double) {
        let single = max(0, variance) / 3
        let squares = { (radius: Int) in (0..<(radius + 1)).reduce(0.0) { $0 + 2 * Double($1 * $1) } }
        var radius = 0
        while squares(radius + 1) / Double(2 * radius + 3) <= single { radius += 1 }
        // (squares + 2 edge next) / (width + 2 edge) = single
        let (width, next) = (Double(2 * radius + 1), Double((radius + 1) * (radius + 1)))
        let edge = (single * width - squares(radius)) / (2 * (next - single))
        let sum = width + 2 * edge
        weights = ([edge] + [Double](repeating: 1, count: 2 * radius + 1) + [edge]).map { $0 / sum }
    }

    private func once(_ line: [Double]) -> [Double] {
        let (count, reach) = (line.count, weights.count / 2)
        return line.indices.map { center in
            weights.indices.reduce(0.0) { sum, index in
                let position = center + index - reach
                let inside = ((position % (2 * count)) + 2 * count) % (2 * count)
                return sum + weights[index] * line[min(inside, 2 * count - 1 - inside)]
            }
        }
    }

    private func rows(_ grid: [[Double]]) -> [[Double]] { grid.map { once(once(once($0))) } }

    private static func transposed(_ grid: [[Double]]) -> [[Double]] {
        grid[0].indices.map { x in grid.map { $0[x] } }
    }

    /// Blurs rows with one variance and columns with another.
    static func blur(_ grid: [[Double]], across: Double, down: Double) -> [[Double]] {
        let wide = ReferenceBoxes(variance: across).rows(grid)
        return transposed(ReferenceBoxes(variance: down).rows(transposed(wide)))
    }
}
