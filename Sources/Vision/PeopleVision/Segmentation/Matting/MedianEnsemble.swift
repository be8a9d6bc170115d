package import Imaging

/// The median of one, three or five mattes of a frame, value by value.
///
/// A pass that errs is outvoted, and edges stay as sharp as the model draws them: a mean would show the
/// edges of all passes.
package final class MedianEnsemble {
    /// Maximum number of mattes of a frame.
    private static let maximumCount = 5

    private var mattes: [FloatImage] = []
    private var count = 0

    /// Creates an ensemble without mattes.
    package init() { mattes.reserveCapacity(Self.maximumCount) }

    /// Starts a frame.
    package func begin() { count = 0 }

    /// Adds a matte; all mattes of a frame have one size, and mattes after the fifth are ignored.
    package func add(_ matte: FloatImage) {
        guard count < Self.maximumCount else { return }
        if count == mattes.count { mattes.append(FloatImage()) }
        mattes[count].copy(matte)
        count += 1
    }

    /// Returns the maximum of the first two mattes, value by value; after the median is taken, it may be
    /// changed.
    package func greaterOfFirstTwo() -> FloatImage? {
        guard count > 1 else { return nil }
        for y in 0..<mattes[0].height { mattes[0].raise(row: y, to: mattes[1].row(y)) }
        return mattes[0]
    }

    /// Writes the median of all mattes since `begin()` into `matte`; the first one unless there are three or
    /// five.
    package func median(into matte: FloatImage) {
        guard count > 0 else { return }
        matte.copy(mattes[0])
        let (result, n) = (matte.base, matte.count)
        switch count {
        case 3:
            let (b, c) = (mattes[1].base, mattes[2].base)
            for i in 0..<n { result[i] = Self.median(result[i], b[i], c[i]) }
        case 5:
            let (b, c, d, e) = (mattes[1].base, mattes[2].base, mattes[3].base, mattes[4].base)
            for i in 0..<n {
                // The least and the greatest of four are never the median of five.
                let low = max(min(result[i], b[i]), min(c[i], d[i]))
                let high = min(max(result[i], b[i]), max(c[i], d[i]))
                result[i] = Self.median(low, high, e[i])
            }
        default: break
        }
    }

    private static func median(_ a: Float, _ b: Float, _ c: Float) -> Float {
        max(min(a, b), min(max(a, b), c))
    }
}
