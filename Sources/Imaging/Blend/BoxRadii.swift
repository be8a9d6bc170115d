/// The half widths of three boxes that, one after the other, blur nearly as a Gaussian does.
struct BoxRadii: Equatable {
    let first: Int
    let second: Int
    let third: Int

    init(_ first: Int, _ second: Int, _ third: Int) {
        self.first = first
        self.second = second
        self.third = third
    }

    /// Boxes whose variances add up to about `variance` cells squared.
    ///
    /// A box of odd width w has the variance (w^2 - 1) / 12. Two neighbouring odd widths are mixed so
    /// that the sum comes nearest.
    init(variance: Double) {
        let ideal = (4 * max(0, variance) + 1).squareRoot()
        let radius = Int((ideal - 1) / 2)
        let narrow = Double(2 * radius + 1)
        let surplus = 12 * max(0, variance) - 3 * (narrow * narrow - 1)
        let wider = Int((surplus / (4 * narrow + 4)).rounded())
        self.init(radius + (wider > 0 ? 1 : 0), radius + (wider > 1 ? 1 : 0), radius + (wider > 2 ? 1 : 0))
    }

    /// The largest half width.
    var widest: Int { max(first, second, third) }
    /// By how much the sums exceed averages.
    var gain: Float { Float(2 * first + 1) * Float(2 * second + 1) * Float(2 * third + 1) }
}
