package import Imaging

/// Each person's coverage in a key frame, which moves along with the image in the frames that follow.
package final class KeyFrame {
    private struct Person {
        /// Where the person was seen last.
        var box: Rectangle
        let coverage = MovingImage()
    }

    private let limits: QualityProfile.KeyFrames
    /// Kept from key frame to key frame with their memory.
    private var people: [Person] = []
    private var count = 0
    private var isComplete = false
    private var time: UInt64?
    /// Frames since then.
    private var age = 0
    private var motion: MotionField?
    /// The share of the points along the mask's edges that the motion has lost since then.
    private var lost = 0.0
    /// The share that it has lost or that have moved too far.
    private var lostOrFar = 0.0

    /// No key frame yet.
    package init(_ limits: QualityProfile.KeyFrames) { self.limits = limits }

    /// There is no key frame any more.
    package func reset() { (count, isComplete) = (0, false) }

    /// Adds a person of the next key frame, after `reset()`.
    package func add(_ coverage: FloatImage, of box: Rectangle) {
        if count == people.count { people.append(Person(box: box)) }
        people[count].box = box
        people[count].coverage.image.copy(coverage)
        if let motion { people[count].coverage.begin(after: motion) }
        count += 1
    }

    /// All people of a key frame, which was taken at `time`, in nanoseconds, if that is known, have been added.
    package func begin(at time: UInt64?) {
        (self.time, age, lost, lostOrFar, isComplete) = (time, 0, 0, 0, true)
    }

    /// Goes on to the next frame, which `matcher` has followed.
    package func follow(_ matcher: BlockMatcher) {
        motion = matcher.motion
        age += 1
        for person in people[..<count] { person.coverage.follow(matcher.motion) }
        lost = lostShare(along: matcher, beyond: .infinity)
        lostOrFar = lostShare(along: matcher, beyond: limits.maximumDistance)
    }

    private func lostShare(along matcher: BlockMatcher, beyond distance: Float) -> Double {
        // All people move along the same path.
        let share = people[..<count].first?.coverage.lostShare(along: matcher, beyond: distance)
        return max(share ?? 1, matcher.lostShare)
    }

    /// Whether the key frame tells about all people of the last frame, whose boxes are given; takes note of these.
    package func holds(_ boxes: some Sequence<Rectangle>, at time: UInt64?) -> Bool {
        guard isComplete, !isOver(at: time), isNear else { return false }
        for box in boxes {
            guard let index = nearest(to: box), people[index].box.overlap(with: box) >= limits.minimumOverlap
            else {
                return false
            }
            people[index].box = box
        }
        return true
    }

    /// Whether the last frame shows nearly the same, or the key frame is so new that it is used nevertheless.
    private var isNear: Bool {
        age < limits.minimumFrames ? lost <= limits.maximumLostAtFirst : lostOrFar <= limits.maximumLost
    }

    /// Writes the coverage of the person in `box` as it is in the last frame, and `mask`, that frame's own, of any size, where
    /// the motion was lost.
    package func write(_ box: Rectangle, into coverage: FloatImage, orWhereLost mask: FloatImage) {
        guard let index = nearest(to: box) else { return coverage.fill(0) }
        let moving = people[index].coverage
        // In the key frame itself nothing has moved.
        if age == 0 { coverage.copy(moving.image) } else { moving.write(into: coverage, orWhereLost: mask) }
    }

    private func isOver(at now: UInt64?) -> Bool {
        guard let now, let time else { return age >= limits.maximumFrames }
        return now < time || Double(now - time) >= limits.maximumSeconds * 1e9
    }

    private func nearest(to box: Rectangle) -> Int? {
        people[..<count].indices.max { people[$0].box.overlap(with: box) < people[$1].box.overlap(with: box) }
    }
}
