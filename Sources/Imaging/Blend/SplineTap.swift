/// Where a position falls in a quadratic B-spline: three samples in a row and their weights.
///
/// Interpolating so is smooth (its slope has no steps), and blurs with a variance of 1/4.
struct SplineTap {
    /// The middle sample.
    let index: Int32
    /// Weights of its left and right neighbours; the rest is the middle's.
    let left: Float
    let right: Float

    /// The tap for an index position; positions outside read the edge sample.
    init(position: Double, samples: Int) {
        let inside = min(max(position, 0), Double(samples - 1))
        let middle = inside.rounded()
        let distance = inside - middle
        index = Int32(truncatingIfNeeded: Int(middle))
        left = Float((0.5 - distance) * (0.5 - distance) / 2)
        right = Float((0.5 + distance) * (0.5 + distance) / 2)
    }

    var middle: Float { 1 - left - right }
}
