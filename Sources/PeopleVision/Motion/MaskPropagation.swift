package import Imaging

/// Lets the last computed mask of a stream move along with the image, and says for how long that holds.
///
/// A mask that moves takes a tenth of the time of one that is computed, and flickers less: what the models see differently
/// from frame to frame is not in it. Errors do not add up, since each mask moves once along its whole path.
package final class MaskPropagation {
    /// When a mask may move instead of being computed; nil for never.
    var limits: QualityProfile.Propagation?
    /// When the frame was taken of which the moving mask is, in nanoseconds, if that is known.
    var time: UInt64? { current.time }

    private let matcher = BlockMatcher()
    private var current = MovingMask()
    /// The mask that is being computed.
    private var pending = MovingMask()
    /// Computed masks of the scene, counted up to the limits' `settling`.
    private var computed = 0
    /// Frames since the last of them.
    private var age = 0
    private var people = 0
    /// The share of the points along the edges that the last frame has lost; 1 where images cannot be compared.
    private var lostInStep = 1.0

    /// A propagation that has seen no frame.
    package init(_ limits: QualityProfile.Propagation?) { self.limits = limits }

    /// Whether there is a mask of this scene that can move.
    var hasMask: Bool { computed > 0 }

    /// The share of the points along the last mask's edges that were lost since the moving mask's frame.
    var lost: Double { max(lostInStep, matcher.meanAlongEdges(current.lost)) }

    /// Finds the motion from the last frame to the next one.
    ///
    /// - Parameters:
    ///   - mask: of the last frame; motion is found along its edges.
    ///   - brightness: of the next frame.
    func advance(_ mask: FloatImage, to brightness: FloatImage) {
        matcher.advance(to: brightness)
        follow(mask)
    }

    private func follow(_ mask: FloatImage) {
        lostInStep = matcher.match(alongEdgesOf: mask)
        current.follow(matcher.motion)
        pending.follow(matcher.motion)
    }

    /// Advances, and decides whether the moving mask is that of the next frame or another one is to be computed.
    ///
    /// Motion is not looked for where a mask is due anyway.
    ///
    /// - Parameter people: in the next frame, a number.
    package func follows(_ mask: FloatImage, to brightness: FloatImage, people: Int) -> Bool {
        guard let limits else { return false }
        matcher.advance(to: brightness)
        defer { self.people = people }
        if computed >= limits.settling, age < limits.maximumFrames, people == self.people {
            follow(mask)
            age += 1
            if lost <= limits.maximumLost { return true }
        }
        // Nothing follows this frame's mask until it is computed.
        age = limits.maximumFrames
        return false
    }

    /// Writes the moving mask as it is in the last frame.
    func write(into mask: FloatImage) { current.write(into: mask) }

    /// The last frame's mask is being computed.
    package func begin(at time: UInt64? = nil) { pending.begin(after: matcher.motion, time: time) }

    /// The mask of the frame that was begun has been computed: it moves from now on.
    package func finish(_ mask: FloatImage) {
        guard let limits else { return }
        pending.finish(mask)
        swap(&current, &pending)
        (computed, age) = (min(computed + 1, max(1, limits.settling)), 0)
    }

    /// There is no mask that the next frame's could follow.
    package func reset() { computed = 0 }
}

/// A frame's mask that moves along with the image in the frames that follow.
private final class MovingMask {
    /// When the frame was taken, in nanoseconds, if that is known.
    private(set) var time: UInt64?
    /// Where the motion since has been lost.
    var lost: FloatImage { path.field.lost }

    private let mask = FloatImage()
    private let path = MotionPath()
    private let compensation = MotionCompensation()

    /// Begins at a frame whose mask is being computed.
    ///
    /// - Parameters:
    ///   - motion: to that frame, from the one before.
    ///   - time: of the frame.
    func begin(after motion: MotionField, time: UInt64?) {
        self.time = time
        path.begin(after: motion)
    }

    /// The frame's mask has been computed.
    func finish(_ mask: FloatImage) { self.mask.copy(mask) }

    /// Goes on to the next frame.
    func follow(_ motion: MotionField) { path.add(motion) }

    /// Writes the mask, moved to the last frame.
    func write(into result: FloatImage) { compensation.apply(path.field, to: mask, into: result) }
}
