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

    /// Finds the motion of the stream.
    private let matcher: BlockMatcher
    private var current = MovingImage()
    /// The mask that is being computed.
    private var pending = MovingImage()
    /// Computed masks of the scene, counted up to the limits' `settling`.
    private var computed = 0
    /// Frames since the last of them.
    private var age = 0
    private var people = 0

    /// A propagation that has seen no frame.
    ///
    /// - Parameter matcher: follows each frame of the stream, before this does.
    package init(_ limits: QualityProfile.Propagation?, _ matcher: BlockMatcher) {
        (self.limits, self.matcher) = (limits, matcher)
    }

    /// Whether there is a mask of this scene that can move.
    var hasMask: Bool { computed > 0 }

    /// The share of the points along the last mask's edges that were lost since the moving mask's frame.
    var lost: Double { max(matcher.lostShare, matcher.meanAlongEdges(current.lost)) }

    /// Moves on to the frame that the matcher has followed.
    func advance() {
        current.follow(matcher.motion)
        pending.follow(matcher.motion)
    }

    /// Advances, and decides whether the moving mask is that of the next frame or another one is to be computed.
    ///
    /// - Parameter people: in the next frame, a number.
    package func follows(people: Int) -> Bool {
        guard let limits else { return false }
        defer { self.people = people }
        if computed >= limits.settling, age < limits.maximumFrames, people == self.people {
            advance()
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
        pending.image.copy(mask)
        swap(&current, &pending)
        (computed, age) = (min(computed + 1, max(1, limits.settling)), 0)
    }

    /// There is no mask that the next frame's could follow.
    package func reset() { computed = 0 }
}
