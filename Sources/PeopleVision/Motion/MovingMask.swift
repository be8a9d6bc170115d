import Imaging

/// A frame's mask that moves along with the picture in the frames that follow.
final class MovingMask {
    /// When the frame was taken, in nanoseconds, if that is known.
    private(set) var time: UInt64?
    /// Where the motion since has been lost.
    var lost: FloatImage { path.field.lost }

    private let mask = FloatImage()
    private let path = MotionPath()
    private let compensation = MotionCompensation()

    /// Begins at a frame whose mask is being made.
    ///
    /// - Parameters:
    ///   - motion: to that frame, from the one before.
    ///   - time: of the frame.
    func begin(after motion: MotionField, time: UInt64?) {
        self.time = time
        path.begin(after: motion)
    }

    /// The frame's mask has been made.
    func finish(_ mask: FloatImage) { self.mask.copy(mask) }

    /// Goes on to the next frame.
    func follow(_ motion: MotionField) { path.add(motion) }

    /// Writes the mask, moved to the last frame.
    func write(into result: FloatImage) { compensation.apply(path.field, to: mask, into: result) }
}
