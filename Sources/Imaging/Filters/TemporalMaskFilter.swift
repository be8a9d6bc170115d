/// Smooths a stream of masks where the image stands still, and nowhere else.
///
/// Each value is the mean of what was measured since its place last changed, older measurements fading:
/// the longer the rest, the smaller the weight of a new one. Where the image moves the new value is
/// taken as it is, so that no outline trails a moving arm, and a value that was wrong while something
/// moved is soon outvoted. A value that contradicts the mean wholly is taken at once, or when the next one confirms it
/// where the image has stood still for some frames: there, only the model can have changed its mind.
package final class TemporalMaskFilter {
    /// Differences from here on begin to count as contradiction; 1 is a full one.
    private static let doubt: Float = 0.6

    /// Stillness, 0...1, from which on a contradiction needs to be confirmed.
    private static let rest = LinearStep(from: 0.8, to: 1)
    /// Measurements in the mean from which on it does: the first mask of a scene is often wrong, and must not last.
    ///
    /// Without it the error of the green-screen clip grows by 2 % at `balanced`.
    private static let history = LinearStep(from: 1, to: 3)

    private let mean = FloatImage()
    private let age = FloatImage()
    /// What was measured last.
    private let last = FloatImage()
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
        last.resize(width: mask.width, height: mask.height)
        guard !isFirst, strength > 0 else { return begin(mask) }
        stillness.begin(still, width: mask.width, height: mask.height)
        for y in 0..<mask.height {
            update(mask.row(y), y, still: stillness.row(y, of: still), strength: min(strength, 1))
        }
    }

    /// Goes on from `mask`, the last smoothed one moved along with the image: no measurement, so that nothing grows older.
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
            // How far the last measurement went the same way; 0 where there is no way.
            let confirmation = min(max(2 * (last[x] - mean[x]) * step, 0), step * step)
            let confirmed = step == 0 ? 0 : confirmation / abs(step)
            let patience = Self.rest.value(still[x]) * Self.history.value(age[x])
            let counted = abs(step) + patience * (confirmed - abs(step))
            let contradiction = Self.contradiction(counted)
            // What is not confirmed leaves no trace, or the next one would not contradict as much.
            let withheld = Self.contradiction(abs(step)) - contradiction
            last[x] = values[x]
            let past = (age[x] + 1) * still[x] * strength * (1 - contradiction)
            age[x] = past
            mean[x] += step * (1 - withheld) / (past + 1)
            values[x] = mean[x]
        }
    }

    /// How far a difference is a contradiction, 0...1.
    @inline(__always)
    private static func contradiction(_ difference: Float) -> Float {
        min(max(0, (difference - doubt) * (1 / (1 - doubt))), 1)
    }
}
