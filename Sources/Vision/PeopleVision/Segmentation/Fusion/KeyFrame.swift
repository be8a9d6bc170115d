package import Imaging

/// The coverage of each person in a key frame, which moves along with the image in the frames that follow.
package final class KeyFrame {
    private struct Person {
        /// The place where the person was seen last.
        var box: Rectangle
        let coverage = MovingImage()
    }

    /// The people, kept from key frame to key frame to reuse their memory.
    private var people: [Person] = []
    private var count = 0
    private var isComplete = false
    /// The motion to the last frame; nil before the first.
    private var matcher: BlockMatcher?

    /// Creates an object without a key frame.
    package init() {}

    /// Forgets the key frame.
    package func reset() { (count, isComplete) = (0, false) }

    /// Makes the last frame the key frame, with the people in `boxes`.
    ///
    /// - Parameters:
    ///   - time: the frame's time in nanoseconds, if known.
    ///   - coverage: returns the coverage of the person in a box.
    package func replace(
        by boxes: some Sequence<Rectangle>, at time: UInt64?,
        _ coverage: (Rectangle) throws(VisionError) -> FloatImage
    ) throws(VisionError) {
        reset()
        for box in boxes { add(try coverage(box), of: box, at: time) }
        isComplete = true
    }

    private func add(_ coverage: FloatImage, of box: Rectangle, at time: UInt64?) {
        if count == people.count { people.append(Person(box: box)) }
        people[count].box = box
        people[count].coverage.image.copy(coverage)
        if let matcher { people[count].coverage.begin(after: matcher.motion, time: time) }
        count += 1
    }

    /// Moves the coverage to the next frame, which `matcher` has followed.
    package func follow(_ matcher: BlockMatcher) {
        self.matcher = matcher
        for person in people[..<count] { person.coverage.follow(matcher.motion) }
    }

    /// Whether the key frame covers all people of the last frame, whose boxes are given; updates their boxes.
    ///
    /// A box that overlaps none of those in the frame before is another person's.
    package func holds(_ boxes: some Sequence<Rectangle>, at time: UInt64?) -> Bool {
        guard isComplete, isUsable(at: time) else { return false }
        for box in boxes {
            guard let index = nearest(to: box),
                people[index].box.overlap(with: box) >= PersonDetector.samePerson
            else {
                return false
            }
            people[index].box = box
        }
        return true
    }

    /// Whether the last frame shows nearly the same, or the key frame is so new that it is used nevertheless.
    private func isUsable(at time: UInt64?) -> Bool {
        // All people move along the same path.
        guard let matcher, let coverage = people[..<count].first?.coverage else { return false }
        return coverage.isUsable(within: coverage.age > 1 ? .figure : .newFigure, along: matcher, at: time)
    }

    /// Writes the coverage of the person in `box`, moved to the last frame.
    ///
    /// It writes `mask`, the last frame's own mask, of any size, where the motion was lost.
    package func write(_ box: Rectangle, into coverage: FloatImage, orWhereLost mask: FloatImage) {
        guard let index = nearest(to: box) else { return coverage.fill(0) }
        let moving = people[index].coverage
        // In the key frame itself nothing has moved.
        guard moving.age > 0 else { return coverage.copy(moving.image) }
        moving.write(into: coverage, orWhereLost: mask)
    }

    private func nearest(to box: Rectangle) -> Int? {
        people[..<count].indices.max { people[$0].box.overlap(with: box) < people[$1].box.overlap(with: box) }
    }
}
