package import Imaging

/// Moves the last computed mask of a stream along with the image, and decides how long the moved mask is good
/// enough.
///
/// A moved mask takes a tenth of the time of a computed one, and flickers less, because it has no differences
/// between the models' results from frame to frame. Errors do not add up, since each mask moves once along
/// its whole path.
package final class MaskPropagation {
    /// Number of masks computed at the start of a scene, until the mean over time hardly depends on the first.
    ///
    /// With none, the MAE of the green-screen clip grows by 0.18 x 10^-3, mirrored by 0.48.
    private static let settling = 8

    /// Limits within which a mask may move instead of being computed; nil for never.
    var limits: MotionLimits?
    /// The time of the frame that the moving mask was computed of, in nanoseconds, if known.
    var time: UInt64? { current.time }
    /// The computed mask, as it was in its own frame.
    var computedMask: FloatImage { current.image }

    /// The motion of the stream.
    private let matcher: BlockMatcher
    private var current = MovingImage()
    /// The mask that is being computed.
    private var pending = MovingImage()
    /// Number of computed masks of the scene, up to `settling`.
    private var computed = 0
    /// Whether a frame's mask is to be computed before another one moves.
    private var isDue = false
    private var people = 0

    /// Creates a propagation that has seen no frame.
    ///
    /// - Parameter matcher: follows each frame of the stream before this object does.
    package init(_ limits: MotionLimits?, _ matcher: BlockMatcher) {
        (self.limits, self.matcher) = (limits, matcher)
    }

    /// Whether there is a mask of this scene that can be moved.
    var hasMask: Bool { computed > 0 }

    /// The share of the points along the last mask's edges whose motion was lost since the moving mask's
    /// frame.
    var lost: Double { current.lostShare(along: matcher) }

    /// Moves the masks to the frame that the matcher has followed.
    func advance() {
        current.follow(matcher.motion)
        pending.follow(matcher.motion)
    }

    /// Advances, and returns whether the moved mask is used for the next frame; otherwise another one is to
    /// be computed.
    ///
    /// - Parameter people: number of people in the next frame.
    package func follows(people: Int) -> Bool {
        guard let limits else { return false }
        defer { self.people = people }
        if computed >= Self.settling, !isDue, people == self.people {
            advance()
            if current.isUsable(within: limits, along: matcher) { return true }
        }
        isDue = true
        return false
    }

    /// Writes the mask, moved to the last frame.
    func write(into mask: FloatImage) { current.write(into: mask) }

    /// Notes that the last frame's mask is being computed.
    package func begin(at time: UInt64? = nil) { pending.begin(after: matcher.motion, time: time) }

    /// Takes the computed mask of the frame that was begun; this mask is moved from now on.
    package func finish(_ mask: FloatImage) {
        guard limits != nil else { return }
        pending.image.copy(mask)
        swap(&current, &pending)
        (computed, isDue) = (min(computed + 1, Self.settling), false)
    }

    /// Forgets the masks, so that the next frame's is computed.
    package func reset() { computed = 0 }
}
