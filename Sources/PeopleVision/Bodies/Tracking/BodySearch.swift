import Imaging

/// Searches for people with the person detector, at eight turns of the frame: it finds them up to some 30 degrees from
/// upright.
struct BodySearch {
    /// A person found by the detector.
    struct Person: Detection {
        /// In pixels of the upright frame.
        let box: Rectangle
        let score: Double
        /// By how much the view was rotated, clockwise; a guess of how the person is.
        let angle: Double
        /// Whether the view was rotated by other than quarter turns: the box is larger than the person then.
        let isDiagonal: Bool
    }

    /// The largest first.
    private(set) var found: [Person] = []
    private var people: [BoxDetection] = []

    /// Turns of the frame, clockwise: as it stands, quarter turns, and those between.
    static let turns = [0, -90, 90, 180, -45, 45, -135, 135].map { $0 * Double.pi / 180 }
    /// The orientations that undo the first of them.
    private static let orientations: [ImageOrientation] = [.up, .right, .left, .down]
    /// The score that a person needs, 0...1.
    static let minimumScore = 0.4
    /// Boxes of several turns that share more than this, of what they cover together, show one person.
    private static let samePerson = 0.5
    private static let maximumPeople = 16

    /// Whether a box is around several people who were found with more certainty.
    func isGroup(_ person: Person) -> Bool {
        person.isAround(found.lazy.filter { $0.score > person.score }.map(\.box))
    }

    /// Searches all turns.
    mutating func searchAll(_ frame: UprightFrame, _ models: BodyModels) throws(VisionError) {
        try search(frame, models, turns: Self.turns.indices)
    }

    /// Searches one turn, a number in `turns`.
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
            // Whom a quarter turn shows, it shows better.
            guard !found.contains(where: { !$0.isDiagonal && $0.box.contains(center) }) else { continue }
            let size = Size(width: person.box.width * view.side, height: person.box.height * view.side)
            found.append(
                Person(
                    box: Rectangle(center: center, size: size.rotated(by: view.angle)), score: person.score,
                    angle: view.angle, isDiagonal: true))
        }
    }
}

/// When a stream is searched for people, and at which turn of the frame.
///
/// It follows the stream's own time, so that a recording gives the same people on every machine.
package struct BodySearchSchedule {
    /// Seconds since the last search.
    private var waited = 0.0
    private var searches = 0

    package init() {}

    /// Starts again, as right after a search of all turns.
    package mutating func reset() { self = BodySearchSchedule() }

    /// Goes on by `seconds`.
    package mutating func advance(by seconds: Double) {
        if seconds > 0 { waited += seconds }
    }

    /// Makes a search of the upright frame due at once: a person was lost.
    package mutating func makeDue() {
        waited = .infinity
        if searches.isMultiple(of: 2) { return }
        searches &+= 1
    }

    /// The turn to search now, a number in `BodySearch.turns`; nil when no search is due.
    ///
    /// Most cameras and people are upright: another turn is searched in every second search while no person is followed,
    /// and in every fourth otherwise.
    ///
    /// - Parameter interval: seconds from search to search; nil for none.
    package mutating func due(interval: Double?, isAnyoneThere: Bool) -> Int? {
        // Rounding is not to put a search off by a frame.
        guard let interval, waited >= interval * (1 - 1e-6) else { return nil }
        waited = 0
        searches &+= 1
        let round = isAnyoneThere ? 4 : 2
        return searches.isMultiple(of: round) ? 1 + (searches / round) % (BodySearch.turns.count - 1) : 0
    }
}

extension BodySearch.Person {
    /// Boxes that share this much of their area with a larger one lie in it.
    private static let shareInside = 0.8

    /// Whether the box is around several people whose boxes are known: people beside each other look like one who lies,
    /// in a turned view.
    func isAround(_ boxes: some Sequence<Rectangle>) -> Bool {
        var inside = 0
        for other in boxes where other.sharedArea(with: box) >= Self.shareInside * other.area { inside += 1 }
        return inside > 1
    }
}
