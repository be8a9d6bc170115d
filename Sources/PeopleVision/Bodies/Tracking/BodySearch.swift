import Imaging

/// Searches for people with the person detector, at quarter turns of the frame.
struct BodySearch {
    /// Boxes of people, in pixels of the upright frame; the largest first.
    private(set) var found: [Rectangle] = []
    private var people: [BoxDetection] = []
    private var all: [BoxDetection] = []

    /// Turns of the frame, each with the orientation that undoes it; the first is the frame as it stands.
    static let turns: [ImageOrientation] = [.up, .right, .left, .down]
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
        all.removeAll(keepingCapacity: true)
        for index in turns {
            let turn = FrameTransform.orientation(Self.turns[index])
            try models.people.find(in: frame.image, region: frame.region(turned: turn), into: &people)
            for person in people where person.score >= Self.leastScore {
                all.append(BoxDetection(box: turn.map(person.box), score: person.score))
            }
        }
        NonMaximumSuppression.keepBest(&all, overlap: Self.samePerson, most: Self.mostPeople)
        found.removeAll(keepingCapacity: true)
        for person in all { found.append(frame.pixels(person.box)) }
        found.sort { $0.width * $0.height > $1.width * $1.height }
    }
}
