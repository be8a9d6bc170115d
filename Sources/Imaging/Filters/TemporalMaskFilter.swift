/// Smooths a stream of masks where the image stands still, and nowhere else.
///
/// Each value is the mean of what was measured since its place last changed, older measurements fading:
/// the longer the rest, the smaller the weight of a new one. Where the image moves the new value is
/// taken as it is, so that no outline trails a moving arm, and a value that was wrong while something
/// moved is soon outvoted. A value that contradicts the mean wholly is taken at once.
package final class TemporalMaskFilter {
    /// Differences from here on begin to count as contradiction; 1 is a full one.
    private static let doubt: Float = 0.6

    private let mean = FloatImage()
    private let age = FloatImage()
    private let stillness = LinearResizer()
    private var isFirst = true

    /// A filter that has seen no mask.
    package init() {}

    /// The next mask does not follow the last.
    package func reset() { isFirst = true }

    /// Replaces `mask` by the smoothed one; the first is left as it is.
    ///
    /// - Parameters:
    ///   - still: where the image stands still, at any size.
    ///   - strength: 0...1; the weight of the past in an image at rest.
    package func smooth(_ mask: FloatImage, still: FloatImage, strength: Float) {
        if mean.resize(width: mask.width, height: mask.height) { isFirst = true }
        age.resize(width: mask.width, height: mask.height)
        guard !isFirst, strength > 0 else { return begin(mask) }
        stillness.begin(still, width: mask.width, height: mask.height)
        for y in 0..<mask.height {
            Self.update(
                mask.row(y), mean: mean.row(y), age: age.row(y), still: stillness.row(y, of: still),
                strength: min(strength, 1), count: mask.width)
        }
    }

    /// Goes on from `mask`, the last smoothed one moved along with the image: no measurement, so that nothing grows older.
    package func adopt(_ mask: FloatImage) { mean.copy(mask) }

    private func begin(_ mask: FloatImage) {
        isFirst = false
        mean.copy(mask)
        age.fill(0)
    }

    private static func update(
        _ values: UnsafeMutablePointer<Float>, mean: UnsafeMutablePointer<Float>,
        age: UnsafeMutablePointer<Float>, still: UnsafePointer<Float>, strength: Float, count: Int
    ) {
        for x in 0..<count {
            let step = values[x] - mean[x]
            let contradiction = max(0, (abs(step) - doubt) * (1 / (1 - doubt)))
            let past = (age[x] + 1) * still[x] * strength * max(0, 1 - contradiction)
            age[x] = past
            mean[x] += step / (past + 1)
            values[x] = mean[x]
        }
    }
}
