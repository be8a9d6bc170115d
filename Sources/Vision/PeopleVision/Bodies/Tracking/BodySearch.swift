import Imaging

/// Searches for people with the person detector, at eight rotations of the frame.
///
/// The detector finds people up to some 30 degrees from upright.
struct BodySearch {
    /// A person found by the detector.
    struct Person: Detection {
        /// The box in pixels of the upright frame.
        let box: Rectangle
        let score: Double
        /// Rotation of the view, clockwise; a guess of the person's rotation.
        let angle: Double
        /// Whether the view was rotated by other than quarter turns; the box is then larger than the person.
        let isDiagonal: Bool
    }

    /// The people of the last search, the largest first.
    private(set) var found: [Person] = []
    private var people: [BoxDetection] = []

    /// Rotations of the frame, clockwise: none, quarter turns, and those between.
    static let turns = [0, -90, 90, 180, -45, 45, -135, 135].map { $0 * Double.pi / 180 }
    /// The orientations that undo the first four rotations.
    private static let orientations: [ImageOrientation] = [.up, .right, .left, .down]
    /// The minimum score of a person, 0...1.
    static let minimumScore = 0.4
    /// Intersection over union above which boxes of several rotations show one person.
    private static let samePerson = 0.5
    private static let maximumPeople = 16

    /// Whether a box surrounds several people who were found with more certainty.
    func isGroup(_ person: Person) -> Bool {
        person.isAround(found.lazy.filter { $0.score > person.score }.map(\.box))
    }

    /// Searches all rotations.
    mutating func searchAll(_ frame: UprightFrame, _ models: BodyModels) throws(VisionError) {
        try search(frame, models, turns: Self.turns.indices)
    }

    /// Searches one rotation, an index in `turns`.
    mutating func search(_ frame: UprightFrame, _ models: BodyModels, turn: Int) throws(VisionError) {
        let turn = min(max(turn, 0), Self.turns.count - 1)
        try search(frame, models, turns: turn..<turn + 1)
    }

    private mutating func search(
        _ frame: UprightFrame, _ models: BodyModels, turns: Range<Int>
    ) throws(VisionError) {
        found.removeAll(keepingCapacity: true)
        for turn in turns {
            if turn < Self.orientations.count {
                try searchQuarter(turn, frame, models)
            } else {
                try searchDiagonal(turn, frame, models)
            }
        }
        NonMaximumSuppression.keepBest(&found, overlap: Self.samePerson, maximumCount: Self.maximumPeople)
        found.sort { $0.box.area > $1.box.area }
    }

    private mutating func searchQuarter(_ turn: Int, _ frame: UprightFrame, _ models: BodyModels)
        throws(VisionError)
    {
        let view = FrameTransform.orientation(Self.orientations[turn])
        try models.people.find(in: frame.image, region: frame.region(rotated: view), into: &people)
        for person in people where person.score >= Self.minimumScore {
            found.append(
                Person(
                    box: frame.pixels(view.map(person.box)), score: person.score, angle: Self.turns[turn],
                    isDiagonal: false))
        }
    }

    private mutating func searchDiagonal(_ turn: Int, _ frame: UprightFrame, _ models: BodyModels)
        throws(VisionError)
    {
        let view = RotatedSquare(wholeOf: frame.size, angle: Self.turns[turn])
        try models.people.find(in: frame.image, region: frame.region(of: view), into: &people)
        for person in people where person.score >= Self.minimumScore {
            let center = view.pixels(person.box.center)
            // A quarter turn shows the person better.
            guard !found.contains(where: { !$0.isDiagonal && $0.box.contains(center) }) else { continue }
            let size = Size(width: person.box.width * view.side, height: person.box.height * view.side)
            found.append(
                Person(
                    box: Rectangle(center: center, size: size.rotated(by: view.angle)), score: person.score,
                    angle: view.angle, isDiagonal: true))
        }
    }
}

/// The schedule of a stream's searches for people, and of their rotations.
///
/// The schedule follows the stream's own time, so that a recording has the same people on every machine.
package struct BodySearchSchedule {
    /// Seconds since the last search.
    private var waited = 0.0
    private var searches = 0

    package init() {}

    /// Restarts the schedule, as right after a search of all rotations.
    package mutating func reset() { self = BodySearchSchedule() }

    /// Advances by `seconds`.
    package mutating func advance(by seconds: Double) {
        if seconds > 0 { waited += seconds }
    }

    /// Makes a search of the upright frame due at once, because a person was lost.
    package mutating func makeDue() {
        waited = .infinity
        if searches.isMultiple(of: 2) { return }
        searches &+= 1
    }

    /// Returns the rotation to search now, an index in `BodySearch.turns`; nil when no search is due.
    ///
    /// Most cameras and people are upright: another rotation is searched in every second search while no
    /// person is followed, and in every fourth otherwise.
    ///
    /// - Parameter interval: seconds from search to search; nil for no search.
    package mutating func due(interval: Double?, isAnyoneThere: Bool) -> Int? {
        // Without this tolerance, rounding could delay a search by a frame.
        guard let interval, waited >= interval * (1 - 1e-6) else { return nil }
        waited = 0
        searches &+= 1
        let round = isAnyoneThere ? 4 : 2
        return searches.isMultiple(of: round) ? 1 + (searches / round) % (BodySearch.turns.count - 1) : 0
    }
}

extension BodySearch.Person {
    /// Whether the box surrounds several people whose boxes are known.
    ///
    /// In a rotated view, people beside each other look like one person who lies.
    func isAround(_ boxes: some Sequence<Rectangle>) -> Bool {
        var inside = 0
        for other in boxes where box.surrounds(other) { inside += 1 }
        return inside > 1
    }
}
