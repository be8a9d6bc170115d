import CKernels

/// Smooths a stream of masks where the image stands still, and nowhere else.
///
/// The masks before move along with the image first, if its motion is known: an edge in dim light moves while the
/// image hardly changes.
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

    private let mean = MovingImage()
    /// The last measurements.
    private let last = MovingImage()
    private let age = FloatImage()
    private let stillness = LinearResizer()
    private var isFirst = true

    /// Creates a filter that has seen no mask.
    package init() {}

    /// Forgets the masks, as the next mask does not follow the last.
    package func reset() { isFirst = true }

    /// Moves on to the next frame.
    ///
    /// With it outlines do not trail people who move slowly: MAE of twelve clips of groups -3.7 %, of seven clips of one
    /// person -1.1 %, at `balanced`.
    ///
    /// - Parameter motion: the motion from the last frame to the next one.
    package func follow(_ motion: MotionField) {
        mean.follow(motion)
        last.follow(motion)
    }

    /// Replaces `mask` by the smoothed mask; the first mask is not changed.
    ///
    /// - Parameters:
    ///   - still: stillness of the image, at any size.
    ///   - strength: 0...1; the weight of the past in an image at rest.
    package func smooth(_ mask: FloatImage, still: FloatImage, strength: Float) {
        if mean.image.resize(width: mask.width, height: mask.height) { isFirst = true }
        last.image.resize(width: mask.width, height: mask.height)
        age.resize(width: mask.width, height: mask.height)
        guard !isFirst, strength > 0 else { return begin(mask) }
        mean.settle()
        last.settle()
        stillness.begin(still, width: mask.width, height: mask.height)
        var limits = kernel_smoothing(
            strength: min(strength, 1), doubt: Self.doubt, rest_middle: Self.rest.middle,
            rest_slope: Self.rest.contrast, history_middle: Self.history.middle,
            history_slope: Self.history.contrast)
        for y in 0..<mask.height {
            kernel_smooth_row(
                mask.row(y), mean.image.row(y), age.row(y), last.image.row(y), stillness.row(y, of: still),
                &limits, mask.width)
        }
    }

    /// Replaces the mean by `mask`, the last smoothed mask moved along with the image.
    ///
    /// It is no measurement, so no value becomes older.
    package func adopt(_ mask: FloatImage) {
        mean.image.copy(mask)
        mean.begin()
    }

    private func begin(_ mask: FloatImage) {
        isFirst = false
        adopt(mask)
        last.image.copy(mask)
        last.begin()
        age.fill(0)
    }
}
