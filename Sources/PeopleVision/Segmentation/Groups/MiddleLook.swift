package import Imaging

/// The middle one of up to three mattes of a frame, value by value; the smaller one of two.
///
/// A look that errs is outvoted, and edges stay as sharp as the models draw them: a mean of looks would
/// show them all.
package final class MiddleLook {
    private let highest = FloatImage()
    private var looks = 0

    /// No mattes yet.
    package init() {}

    /// Starts a frame.
    package func begin() { looks = 0 }

    /// Makes `mask` the middle one of all mattes since `begin()`, the latest of which is `matte`.
    ///
    /// - Parameter mask: what the last call left there.
    package func add(_ matte: FloatImage, to mask: FloatImage) {
        switch looks {
        case 0: mask.copy(matte)
        case 1: sort(matte, mask)
        default: clamp(matte, mask)
        }
        looks += 1
    }

    /// Keeps the larger of two values; `mask` takes the smaller one.
    private func sort(_ matte: FloatImage, _ mask: FloatImage) {
        highest.copy(matte)
        let (low, high, count) = (mask.base, highest.base, min(mask.count, highest.count))
        for i in 0..<count { (low[i], high[i]) = (min(low[i], high[i]), max(low[i], high[i])) }
    }

    private func clamp(_ matte: FloatImage, _ mask: FloatImage) {
        let (low, high, values) = (mask.base, highest.base, matte.base)
        for i in 0..<min(mask.count, highest.count, matte.count) {
            low[i] = max(low[i], min(high[i], values[i]))
        }
    }
}
