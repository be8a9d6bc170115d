/// The width of a box of which three, one after the other, blur nearly as a Gaussian does.
///
/// The samples at both ends count by a fraction, so that any variance is met exactly ("extended box filter",
/// Gwosdek et al. 2011).
struct BoxWidth: Equatable {
    /// Whole samples on each side of the middle.
    let radius: Int
    /// Weight of one more sample on each side, 0..<1.
    let edge: Float

    /// A width whose three boxes have this variance together, in samples squared.
    init(variance: Double) {
        let single = max(0, variance) / 3
        // A box of odd width w has the variance (w^2 - 1) / 12.
        let radius = Int(((12 * single + 1).squareRoot() - 1) / 2)
        let (width, next) = (Double(2 * radius + 1), Double((radius + 1) * (radius + 1)))
        let inner = Double(radius * (radius + 1)) * width / 3
        self.radius = radius
        edge = Float(max(0, (single * width - inner) / (2 * (next - single))))
    }

    /// By how much three boxes' sums exceed averages.
    var gain: Float {
        let width = Float(2 * radius + 1) + 2 * edge
        return width * width * width
    }

    /// Whether sums are what they were made of.
    var isTrivial: Bool { radius == 0 && edge == 0 }
}
