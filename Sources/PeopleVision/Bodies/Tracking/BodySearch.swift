import Imaging

/// Searches for people with the person detector, at quarter turns of the frame.
struct BodySearch {
    /// A person found by the detector.
    struct Person: Detection {
        /// In pixels of the upright frame.
        let box: Rectangle
        let score: Double
        /// By how much the view was turned, clockwise; a guess of how the person is.
        let angle: Double
    }

    /// The largest first.
    private(set) var found: [Person] = []
    private var people: [BoxDetection] = []

    /// Turns of the frame, each with the orientation that undoes it; the first is the frame as it stands.
    static let turns: [(orientation: ImageOrientation, angle: Double)] = [
        (.up, 0), (.right, -Double.pi / 2), (.left, Double.pi / 2), (.down, Double.pi),
    ]
    /// The score that a person needs, 0...1.
    private static let leastScore = 0.4
    /// Boxes of several turns that share more than this, of what they cover together, show one person.
    private static let samePerson = 0.5
    private static let mostPeople = 16

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
        for index in turns {
            let turn = FrameTransform.orientation(Self.turns[index].orientation)
            try models.people.find(in: frame.image, region: frame.region(turned: turn), into: &people)
            for person in people where person.score >= Self.leastScore {
                found.append(
                    Person(
                        box: frame.pixels(turn.map(person.box)), score: person.score,
                        angle: Self.turns[index].angle))
            }
        }
        NonMaximumSuppression.keepBest(&found, overlap: Self.samePerson, most: Self.mostPeople)
        found.sort { $0.box.width * $0.box.height > $1.box.width * $1.box.height }
    }
}
