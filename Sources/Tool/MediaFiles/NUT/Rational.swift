/// A fraction of two whole numbers.
package struct Rational: Equatable, Sendable {
    package var numerator: Int
    package var denominator: Int

    package init(_ numerator: Int, _ denominator: Int) {
        (self.numerator, self.denominator) = (numerator, denominator)
    }

    /// Reads `30000/1001` or `64:45`; nil for other texts than positive fractions.
    package init?(_ text: String?) {
        let parts = (text ?? "").split(whereSeparator: { $0 == "/" || $0 == ":" }).map { Int($0) }
        guard parts.count == 2, let numerator = parts[0], let denominator = parts[1], numerator > 0,
            denominator > 0
        else { return nil }
        self.init(numerator, denominator)
    }

    package var value: Double { Double(numerator) / Double(denominator) }

    /// A billionth of a second.
    package static let nanosecond = Rational(1, 1_000_000_000)
    /// A millionth of a second.
    package static let microsecond = Rational(1, 1_000_000)
}

extension Rational: CustomStringConvertible {
    package var description: String { "\(numerator)/\(denominator)" }
}

extension Int {
    /// A number of units as one of other units, rounded to the nearest, halves away from zero as ffmpeg rounds.
    ///
    /// - Returns: the nearest number that can be represented.
    package func rescaled(from unit: Rational, to other: Rational) -> Int {
        let (factor, isFactorLarge) = unit.numerator.multipliedReportingOverflow(by: other.denominator)
        let (divisor, isDivisorLarge) = unit.denominator.multipliedReportingOverflow(by: other.numerator)
        guard !isFactorLarge, !isDivisorLarge, factor > 0, divisor > 0 else { return self }
        let product = magnitude.multipliedFullWidth(by: UInt(factor))
        let (low, carries) = product.low.addingReportingOverflow(UInt(divisor) / 2)
        let high = carries ? product.high &+ 1 : product.high
        guard high < UInt(divisor) else { return self < 0 ? .min : .max }
        let quotient = Int(clamping: UInt(divisor).dividingFullWidth((high, low)).quotient)
        return self < 0 ? -quotient : quotient
    }
}
