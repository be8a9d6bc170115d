package import Imaging

/// The median of up to three mattes of a frame, value by value; the smaller one of two.
///
/// A pass that errs is outvoted, and edges stay as sharp as the model draws them: a mean would show the edges of
/// all passes.
package final class MedianEnsemble {
    /// The median of all mattes since `begin()`.
    package let median = FloatImage()
    private let larger = FloatImage()
    private var count = 0

    /// An ensemble without mattes.
    package init() {}

    /// Starts a frame.
    package func begin() { count = 0 }

    /// Adds a matte; all mattes of a frame have one size.
    package func add(_ matte: FloatImage) {
        switch count {
        case 0: median.copy(matte)
        case 1: sort(matte)
        default: clamp(matte)
        }
        count += 1
    }

    /// Keeps the larger of two values; `median` takes the smaller one.
    private func sort(_ matte: FloatImage) {
        larger.copy(matte)
        let (low, high, count) = (median.base, larger.base, min(median.count, larger.count))
        for i in 0..<count { (low[i], high[i]) = (min(low[i], high[i]), max(low[i], high[i])) }
    }

    private func clamp(_ matte: FloatImage) {
        let (low, high, values) = (median.base, larger.base, matte.base)
        for i in 0..<min(median.count, larger.count, matte.count) {
            low[i] = max(low[i], min(high[i], values[i]))
        }
    }
}
