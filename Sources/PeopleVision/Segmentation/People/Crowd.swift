package import Imaging

/// Knows who is in each frame of a stream.
///
/// The detector looks at every few frames. What the small model sees apart from all that the detector
/// knows may be somebody too; without anyone else it is.
package final class Crowd {
    /// Someone in the frame.
    package struct Person {
        /// In the upright frame's unit square.
        package let box: Rectangle
        /// Height as a share of the tallest person's; 0 for those whom the detector does not know.
        package let stature: Double
    }

    /// A detection takes a sixth of a matte's time; at 8 frames a second newcomers wait half a second.
    private static let interval = 4
    /// More people than that are a crowd; the tallest come first.
    private static let mostPeople = 12
    /// What a person's box covers of a part's box, of one who is seen in that part.
    private static let covered = 0.3

    /// Who is new must be more certain than the detector asks for; a box is held while it hardly moves, so that
    /// the mask does not shimmer; one missed detection is forgiven.
    private static let tracking = BoxTracker.Limits(
        entryScore: 0.4, sameOverlap: 0.3, stillOverlap: 0.85, mostMisses: 1)

    /// The people of the last frame, the tallest first.
    package private(set) var people: [Person] = []

    private let detector: PersonDetector
    private var found: [BoxDetection] = []
    private var tracker = BoxTracker(tracking)
    private var age = 0

    /// Loads the detector.
    package init(_ setup: ModelSetup) throws(VisionError) {
        detector = try PersonDetector(setup)
    }

    /// Looks at the next frame, which `scout` has seen.
    package func look(
        at image: ImageView, orientation: ImageOrientation, _ scout: Scout
    ) throws(VisionError) {
        if age == 0 {
            try detector.find(in: image, orientation: orientation, into: &found)
            tracker.update(found)
        }
        age = (age + 1) % Self.interval
        list(scout)
    }

    /// The next frame does not follow the last.
    package func reset() {
        tracker.reset()
        age = 0
    }

    /// The smallest box around all who are at least `stature` high, and whether they are several; nil without
    /// any.
    package func extent(stature: Double) -> (box: Rectangle, isGroup: Bool)? {
        var extent: (box: Rectangle, isGroup: Bool)?
        for person in people where person.stature >= stature {
            extent = extent.map { ($0.box.union(person.box), true) } ?? (person.box, false)
        }
        return extent
    }

    private func list(_ scout: Scout) {
        people.removeAll(keepingCapacity: true)
        let tallest = tracker.tracks.lazy.map(\.box.height).max() ?? 0
        for track in tracker.tracks {
            people.append(Person(box: track.box, stature: track.box.height / tallest))
        }
        people.sort { $0.stature > $1.stature }
        let known = people.count
        scout.parts.forEach { part in
            guard part.area >= scout.smallestArea else { return }
            let box = Rectangle(part, width: scout.mask.width, height: scout.mask.height)
            let needed = Self.covered * box.width * box.height
            let isKnown = people[..<known].contains { $0.box.sharedArea(with: box) >= needed }
            if !isKnown { people.append(Person(box: box, stature: known == 0 ? 1 : 0)) }
        }
        if people.count > Self.mostPeople { people.removeLast(people.count - Self.mostPeople) }
    }
}
