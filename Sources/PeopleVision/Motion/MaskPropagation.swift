package import Imaging

/// Says which masks follow the motion between frames instead of being made anew: those of slow motion.
///
/// It takes a tenth of the time of a mask that is made anew, and flickers less: what the models see differently from
/// frame to frame is not in it. Errors do not add up, for the next mask is made anew.
package final class MaskPropagation {
    /// The motion from the last frame to this one.
    package var motion: MotionField { matcher.motion }

    /// When a mask may follow the motion; nil for never.
    var limits: QualityProfile.Propagation?

    private let matcher = BlockMatcher()
    /// Masks of the scene that were made anew.
    private var made = 0
    /// Frames since the last of them.
    private var age = 0
    private var people = 0

    /// A propagation that has seen no frame.
    package convenience init(_ profile: QualityProfile) { self.init(profile.propagation) }

    /// The same within other limits.
    init(_ limits: QualityProfile.Propagation?) { self.limits = limits }

    /// Compares the next frame with the last.
    ///
    /// - Parameters:
    ///   - mask: of the last frame.
    ///   - brightness: of the next frame.
    ///   - people: in the next frame, a number.
    /// - Returns: true when its mask is to be `mask`, moved along `motion`; false when it is to be made anew.
    package func follows(_ mask: FloatImage, _ brightness: FloatImage, people: Int) -> Bool {
        guard let limits else { return false }
        matcher.advance(to: brightness)
        defer { self.people = people }
        guard made >= limits.settling, age < limits.mostFrames, people == self.people,
            matcher.match(alongEdgesOf: mask) <= limits.mostLost
        else {
            // Nothing follows this frame's mask until it is made.
            age = limits.mostFrames
            return false
        }
        age += 1
        return true
    }

    /// The last frame's mask was made anew.
    package func restart() { (made, age) = (min(made + 1, limits?.settling ?? 0), 0) }

    /// There is no mask that the next frame's could follow.
    package func reset() { made = 0 }
}
