package import Imaging

/// Holds on to the people of a stream from one detection to the next.
///
/// Boxes that moved with every detection, and people who came and went with their scores, would make masks
/// shimmer.
package struct PersonRoster {
    /// Whoever is new must be surer than the detector asks for.
    private static let newcomer = 0.4
    /// A box that shares this much with a known person's shows that person.
    private static let samePerson = 0.3
    /// A known person's box stays while the new one shares this much with it.
    private static let still = 0.85
    /// Detections that a person may be missing from.
    private static let mostMisses = 1

    private struct Entry {
        var box: Rectangle
        var misses = 0
    }

    private var entries: [Entry] = []

    /// Nobody.
    package init() {}

    /// The boxes of the people, in the unit square.
    package var boxes: some Sequence<Rectangle> { entries.lazy.map(\.box) }

    /// Takes note of a detection.
    package mutating func update(_ found: [DetectedPerson]) {
        for index in entries.indices { entries[index].misses += 1 }
        for person in found { place(person) }
        entries.removeAll { $0.misses > Self.mostMisses }
    }

    /// The next frame shows another scene.
    package mutating func reset() { entries.removeAll(keepingCapacity: true) }

    /// Gives a box to the nearest of those who have none yet, or to a newcomer.
    private mutating func place(_ person: DetectedPerson) {
        var (nearest, share): (Int?, Double) = (nil, Self.samePerson)
        for index in entries.indices where entries[index].misses > 0 {
            let overlap = entries[index].box.overlap(with: person.box)
            if overlap >= share { (nearest, share) = (index, overlap) }
        }
        guard let nearest else {
            if person.score >= Self.newcomer { entries.append(Entry(box: person.box)) }
            return
        }
        if share < Self.still { entries[nearest].box = person.box }
        entries[nearest].misses = 0
    }
}
