// Evidence of `smoothing`: without it, a clip before a still picture: IoU -5.7, MAE -0.48, flicker +3.05.
// 2026-11-25, docs/experiments/2026-11-25-each-rule.md, `balanced`.

/// Smooths a stream of masks where the image stands still, and nowhere else.
///
/// Each value is the mean of the measurements since its place last changed, and older measurements fade: the
/// longer the rest, the smaller the weight of a new one. Where the image moves, the new value is used
/// unchanged, so that no outline trails a moving arm. A value that was wrong during a movement is soon
/// outvoted. A value that contradicts the mean wholly replaces it at once. Where the image has stood still
/// for some frames, the next value must confirm the contradiction first: there, only the model's result can
/// have changed.
package final class TemporalMaskFilter {
    /// Difference from which on a contradiction begins to count; 1 is a full one.
    private static let doubt: Float = 0.6

    /// Stillness, 0...1, from which on a contradiction needs to be confirmed.
    private static let rest = LinearStep(from: 0.8, to: 1)
    /// Number of measurements in the mean from which on a contradiction needs to be confirmed.
    ///
    /// The first mask of a scene is often wrong, and must not last. Without this limit the error of the
    /// green-screen clip grows by 2 % at `balanced`.
    private static let history = LinearStep(from: 1, to: 3)

    private let mean = FloatImage()
    private let age = FloatImage()
    /// The last measurements.
    private let last = FloatImage()
    private let stillness = LinearResizer()
    private var isFirst = true

    /// Creates a filter that has seen no mask.
    package init() {}

    /// Forgets the masks, as the next mask does not follow the last.
    package func reset() { isFirst = true }

    /// Replaces `mask` by the smoothed mask; the first mask is not changed.
    ///
    /// - Parameters:
    ///   - still: stillness of the image, at any size.
    ///   - strength: 0...1; the weight of the past in an image at rest.
    package func smooth(_ mask: FloatImage, still: FloatImage, strength: Float) {
        if mean.resize(width: mask.width, height: mask.height) { isFirst = true }
        age.resize(width: mask.width, height: mask.height)
        last.resize(width: mask.width, height: mask.height)
        guard !isFirst, strength > 0 else { return begin(mask) }
        stillness.begin(still, width: mask.width, height: mask.height)
        for y in 0..<mask.height {
            update(mask.row(y), y, still: stillness.row(y, of: still), strength: min(strength, 1))
        }
    }

    /// Replaces the mean by `mask`, the last smoothed mask moved along with the image.
    ///
    /// It is no measurement, so no value becomes older.
    package func adopt(_ mask: FloatImage) { mean.copy(mask) }

    private func begin(_ mask: FloatImage) {
        isFirst = false
        mean.copy(mask)
        last.copy(mask)
        age.fill(0)
    }

    /// Replaces the values of row `y` by the smoothed ones.
    private func update(
        _ values: UnsafeMutablePointer<Float>, _ y: Int, still: UnsafePointer<Float>, strength: Float
    ) {
        let (mean, age, last) = (mean.row(y), age.row(y), last.row(y))
        for x in 0..<self.mean.width {
            let step = values[x] - mean[x]
            // Distance that the last measurement went in the same direction; 0 without a direction.
            let confirmation = min(max(2 * (last[x] - mean[x]) * step, 0), step * step)
            let confirmed = step == 0 ? 0 : confirmation / abs(step)
            let patience = Self.rest.value(still[x]) * Self.history.value(age[x])
            let counted = abs(step) + patience * (confirmed - abs(step))
            let contradiction = Self.contradiction(counted)
            // An unconfirmed measurement must not change the mean, or the next one would contradict it less.
            let withheld = Self.contradiction(abs(step)) - contradiction
            last[x] = values[x]
            let past = (age[x] + 1) * still[x] * strength * (1 - contradiction)
            age[x] = past
            mean[x] += step * (1 - withheld) / (past + 1)
            values[x] = mean[x]
        }
    }

    /// Returns the degree to which a difference is a contradiction, 0...1.
    @inline(__always)
    private static func contradiction(_ difference: Float) -> Float {
        min(max(0, (difference - doubt) * (1 / (1 - doubt))), 1)
    }
}
