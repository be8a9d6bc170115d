import Imaging

/// Moves the mask of one frame to another frame of the scene, whichever comes first.
final class MaskTransfer {
    private let matcher = BlockMatcher(.far)
    private let moving = MovingImage()
    private let moved = FloatImage()

    /// Gives `frame` the mask of `origin`, and leaves the frame's mask where the motion is lost.
    ///
    /// - Returns: false if too much of the motion is lost; `frame` then keeps its mask.
    func move(from origin: LookaheadFrame, to frame: LookaheadFrame) -> Bool {
        guard let time = origin.time else { return false }
        matcher.advance(to: origin.brightness.values)
        moving.begin(after: matcher.motion)
        matcher.advance(to: frame.brightness.values)
        let lost = matcher.match(alongEdgesOf: origin.mask, and: frame.mask)
        guard lost <= MotionLimits.matte.lost else { return false }
        moving.image.copy(origin.mask)
        moving.follow(matcher.motion)
        moved.resize(width: frame.mask.width, height: frame.mask.height)
        moving.write(into: moved, orWhereLost: frame.mask)
        frame.take(moved, of: time)
        return true
    }
}
