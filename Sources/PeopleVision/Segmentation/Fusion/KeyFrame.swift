package import Imaging

/// The coverage of each person in a key frame, which moves along with the image in the frames that follow.
package final class KeyFrame {
    /// Limits within which MobileSAM's coverage of a frame moves along with the image instead of being
    /// computed again.
    ///
    /// Encoding a 16:9 frame takes 0.3 s of a core in int8, 0.6 s in floats.
    package enum Limits {
        /// Maximum age in seconds of the stream: people change their shape, and errors of one frame must not
        /// last.
        static let maximumSeconds = 1.5
        /// Maximum age in frames, where the stream has no times: the same at 30 a second.
        package static let maximumFrames = 45
        /// Minimum number of frames from one key frame to the next, unless a person is new or the image
        /// changes.
        ///
        /// In fast motion each second frame lies between two key frames, whose masks correct it with
        /// lookahead. With 4, hands are lost and pieces of a pattern come in.
        package static let minimumFrames = 2
        /// Maximum share of the points along the mask's edges that the motion loses before
        /// `minimumFrames`: that of `PassSchedule`.
        static let maximumLostAtFirst = QualityProfile.PassSchedule().maximumLost
        /// Maximum motion of the mask's edges, in pixels of 512 along the longer side.
        ///
        /// In front of a pattern that stands still, blocks at an edge follow the edge too slowly.
        static let maximumDistance: Float = 2
        /// Maximum share of the points along the mask's edges that the motion loses, or that move farther
        /// than `maximumDistance`.
        static let maximumLost = 0.05
        /// Minimum intersection over union of a person's boxes in a frame and the one before; with less it is
        /// another person.
        static let minimumOverlap = 0.5
    }

    private struct Person {
        /// The place where the person was seen last.
        var box: Rectangle
        let coverage = MovingImage()
    }

    /// The people, kept from key frame to key frame to reuse their memory.
    private var people: [Person] = []
    private var count = 0
    private var isComplete = false
    private var time: UInt64?
    /// Frames since the key frame.
    private var age = 0
    private var motion: MotionField?
    /// Share of the points along the mask's edges whose motion was lost since the key frame.
    private var lost = 0.0
    /// Share of the points along the mask's edges whose motion was lost or that have moved too far.
    private var lostOrFar = 0.0

    /// Creates an object without a key frame.
    package init() {}

    /// Forgets the key frame.
    package func reset() { (count, isComplete) = (0, false) }

    /// Adds a person of the next key frame, after `reset()`.
    package func add(_ coverage: FloatImage, of box: Rectangle) {
        if count == people.count { people.append(Person(box: box)) }
        people[count].box = box
        people[count].coverage.image.copy(coverage)
        if let motion { people[count].coverage.begin(after: motion) }
        count += 1
    }

    /// Begins a key frame whose people have all been added; `time` is its time in nanoseconds, if known.
    package func begin(at time: UInt64?) {
        (self.time, age, lost, lostOrFar, isComplete) = (time, 0, 0, 0, true)
    }

    /// Moves the coverage to the next frame, which `matcher` has followed.
    package func follow(_ matcher: BlockMatcher) {
        motion = matcher.motion
        age += 1
        for person in people[..<count] { person.coverage.follow(matcher.motion) }
        lost = lostShare(along: matcher, beyond: .infinity)
        lostOrFar = lostShare(along: matcher, beyond: Limits.maximumDistance)
    }

    private func lostShare(along matcher: BlockMatcher, beyond distance: Float) -> Double {
        // All people move along the same path.
        let share = people[..<count].first?.coverage.lostShare(along: matcher, beyond: distance)
        return max(share ?? 1, matcher.lostShare)
    }

    /// Whether the key frame covers all people of the last frame, whose boxes are given; updates their boxes.
    package func holds(_ boxes: some Sequence<Rectangle>, at time: UInt64?) -> Bool {
        guard isComplete, !isOver(at: time), isNear else { return false }
        for box in boxes {
            guard let index = nearest(to: box), people[index].box.overlap(with: box) >= Limits.minimumOverlap
            else {
                return false
            }
            people[index].box = box
        }
        return true
    }

    /// Whether the last frame shows nearly the same, or the key frame is so new that it is used nevertheless.
    private var isNear: Bool {
        age < Limits.minimumFrames ? lost <= Limits.maximumLostAtFirst : lostOrFar <= Limits.maximumLost
    }

    /// Writes the coverage of the person in `box`, moved to the last frame.
    ///
    /// It writes `mask`, the last frame's own mask, of any size, where the motion was lost.
    package func write(_ box: Rectangle, into coverage: FloatImage, orWhereLost mask: FloatImage) {
        guard let index = nearest(to: box) else { return coverage.fill(0) }
        let moving = people[index].coverage
        // In the key frame itself nothing has moved.
        if age == 0 { coverage.copy(moving.image) } else { moving.write(into: coverage, orWhereLost: mask) }
    }

    private func isOver(at now: UInt64?) -> Bool {
        guard let now, let time else { return age >= Limits.maximumFrames }
        return now < time || Double(now - time) >= Limits.maximumSeconds * 1e9
    }

    private func nearest(to box: Rectangle) -> Int? {
        people[..<count].indices.max { people[$0].box.overlap(with: box) < people[$1].box.overlap(with: box) }
    }
}
