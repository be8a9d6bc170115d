package import Imaging

/// Gives the people, or other subjects, of a stream ids that stay with them, by place, motion and colours.
///
/// One that is hidden or leaves is remembered for a while, and comes back under the same id.
package struct InstanceIdentities {
    /// A person who was detected in a frame.
    package struct Detection {
        let box: Rectangle
        let colors: InstanceColors

        /// A person in `box`, in the upright frame's unit square.
        package init(box: Rectangle, colors: InstanceColors) { (self.box, self.colors) = (box, colors) }
    }

    fileprivate struct Identity {
        let id: Int
        var box: Rectangle
        /// Speed of the box's centre, per second.
        var velocity = Point(x: 0, y: 0)
        /// When the box last changed: a detector sees every few frames only.
        var moved: Double
        /// When the person was last seen.
        var seen: Double
        /// False after a change of scene.
        var isPlaceKnown = true
        let colors: InstanceColors
    }

    /// Seconds for which a person is remembered.
    private static let retention = 5.0
    /// Seconds for which a person who is not seen is expected to move on.
    private static let predictionHorizon = 0.5
    /// Share of a new speed in the mean.
    fileprivate static let newSpeed = 0.5
    /// Share of a frame's colours in the mean; light and posture change slowly.
    fileprivate static let newColors: Float = 0.1
    /// People who share more than this of the smaller one's box are not measured: one box shows both.
    private static let maximumShared = 0.2
    /// Widths of a box by which a person may be away from where they are expected, and how much it grows in a second.
    private static let reach = (now: 1.0, perSecond: 2.0)
    /// The similarity that colours need where the place is not known, 0...1.
    private static let minimumSimilarity = 0.8
    /// The similarity that is assumed of colours that are not known, 0...1.
    private static let unknownSimilarity = 0.7

    private var identities: [Identity] = []
    private var candidates: [(score: Double, identity: Int, detection: Int)] = []
    private var time = 0.0
    private var scene = 0
    private var nextID = 1

    /// Without any people; the first id is 1.
    package init() {}

    /// Forgets everybody; ids go on, so that none is used again for another person.
    package mutating func reset() { identities.removeAll(keepingCapacity: true) }

    /// Puts the ids of a frame's people into `ids`, in the order of `people`.
    ///
    /// - Parameters:
    ///   - seconds: since the frame before.
    ///   - scene: a number that changes where places before mean nothing.
    package mutating func identify(
        _ people: [Detection], after seconds: Double, scene: Int, into ids: inout [Int]
    ) {
        let before = time
        time += seconds > 0 ? min(seconds, 2 * Self.retention) : 0
        let time = time
        identities.removeAll { time - $0.seen > Self.retention }
        if scene != self.scene {
            self.scene = scene
            for index in identities.indices { identities[index].isPlaceKnown = false }
        }
        ids.removeAll(keepingCapacity: true)
        for _ in people { ids.append(0) }
        // People of the frame before come first; those who are only remembered get what is left.
        match(people, &ids) { $0.seen == before }
        match(people, &ids) { $0.seen < before }
        while let index = firstUnknown(people, ids) {
            ids[index] = nextID
            nextID &+= 1
            identities.append(Identity(people[index], id: ids[index], at: time))
        }
    }

    /// The one without an id who is farthest to the left.
    private func firstUnknown(_ people: [Detection], _ ids: [Int]) -> Int? {
        var first: Int?
        for index in people.indices where ids[index] == 0 {
            if first.map({ people[index].box.center.x < people[$0].box.center.x }) ?? true { first = index }
        }
        return first
    }

    /// Gives ids of known people to those who fit best, the best fit first.
    private mutating func match(
        _ people: [Detection], _ ids: inout [Int], _ isMatched: (Identity) -> Bool
    ) {
        candidates.removeAll(keepingCapacity: true)
        for (known, identity) in identities.enumerated() where isMatched(identity) {
            for (index, person) in people.enumerated() {
                if let score = fit(identity, person) { candidates.append((score, known, index)) }
            }
        }
        candidates.sort { $0.score > $1.score }
        for candidate in candidates where ids[candidate.detection] == 0 {
            let id = identities[candidate.identity].id
            guard !ids.contains(id) else { continue }
            ids[candidate.detection] = id
            let person = people[candidate.detection]
            let isAlone = people.indices.allSatisfy {
                $0 == candidate.detection
                    || people[$0].box.shareOfSmaller(with: person.box) < Self.maximumShared
            }
            identities[candidate.identity].follow(person, at: time, isAlone: isAlone)
        }
    }

    /// How well a person is the known one; nil where they cannot be.
    private func fit(_ identity: Identity, _ person: Detection) -> Double? {
        let similarity = identity.colors.similarity(to: person.colors)
        guard identity.isPlaceKnown else {
            guard let similarity, similarity >= Self.minimumSimilarity else { return nil }
            return similarity - 1
        }
        let gap = time - identity.seen
        let expected = identity.box(after: min(gap, Self.predictionHorizon))
        let unit = max(expected.width, person.box.width, .leastNormalMagnitude)
        let (dx, dy) = (
            expected.center.x - person.box.center.x, expected.center.y - person.box.center.y
        )
        // A person is about twice as high as wide, and moves more across than up and down.
        let distance = (dx * dx + dy * dy / 4).squareRoot() / unit
        let reach = Self.reach.now + Self.reach.perSecond * gap
        guard distance <= reach else { return nil }
        let place = 1 - distance / reach
        // Where people overlap, the sizes of their boxes tell more than the distances.
        return place + expected.overlap(with: person.box) + (similarity ?? Self.unknownSimilarity)
    }
}

extension InstanceIdentities.Identity {
    fileprivate init(_ person: InstanceIdentities.Detection, id: Int, at time: Double) {
        (self.id, box, moved, seen) = (id, person.box, time, time)
        colors = InstanceColors()
        colors.approach(person.colors, by: 1)
    }

    /// The box that the motion leads to, `seconds` after the person was seen.
    fileprivate func box(after seconds: Double) -> Rectangle {
        var moved = box
        moved.x += velocity.x * seconds
        moved.y += velocity.y * seconds
        return moved
    }

    fileprivate mutating func follow(
        _ person: InstanceIdentities.Detection, at time: Double, isAlone: Bool
    ) {
        if person.box != box {
            let (seconds, share) = (max(time - moved, 1e-3), InstanceIdentities.newSpeed)
            velocity.x += share * ((person.box.center.x - box.center.x) / seconds - velocity.x)
            velocity.y += share * ((person.box.center.y - box.center.y) / seconds - velocity.y)
            (box, moved) = (person.box, time)
        }
        (seen, isPlaceKnown) = (time, true)
        if isAlone { colors.approach(person.colors, by: InstanceIdentities.newColors) }
    }
}
