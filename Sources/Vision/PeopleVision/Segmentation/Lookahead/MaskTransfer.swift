import Imaging

/// Moves the mask of one frame to another frame of the scene, whichever comes first.
final class MaskTransfer {
    /// Difference of two frames' masks that the inexact motion explains, for motion from one frame to the
    /// next.
    private static let inexactness: Float = 0.1

    private let matcher = BlockMatcher(.far)
    private let moving = MovingImage(maximumInexactness: MaskTransfer.inexactness)
    private let moved = FloatImage()

    /// Finds the motion from `origin` to `frame`, along the edges of both masks.
    ///
    /// - Returns: the share of the points along the edges that was lost.
    @discardableResult
    func begin(from origin: LookaheadFrame, to frame: LookaheadFrame) -> Double {
        matcher.advance(to: origin.brightness.values)
        moving.begin(after: matcher.motion)
        matcher.advance(to: frame.brightness.values)
        let lost = matcher.match(alongEdgesOf: origin.mask, and: frame.mask)
        moving.image.copy(origin.mask)
        moving.follow(matcher.motion)
        moved.resize(width: frame.mask.width, height: frame.mask.height)
        return lost
    }

    /// Returns the moved mask, as far as errors of the motion do not explain its difference from `own`; valid until the
    /// next call.
    func moved(besides own: FloatImage) -> FloatImage {
        moving.write(into: moved, besides: own)
        return moved
    }

    /// Gives `frame` the mask of `origin`, and leaves the frame's mask where the motion is lost.
    ///
    /// - Returns: false if too much of the motion is lost; `frame` then keeps its mask.
    func give(_ frame: LookaheadFrame, maskOf origin: LookaheadFrame) -> Bool {
        guard let time = origin.time, begin(from: origin, to: frame) <= MotionLimits.matte.lost else {
            return false
        }
        moving.write(into: moved, orWhereLost: frame.mask)
        frame.take(moved, of: time)
        return true
    }
}
