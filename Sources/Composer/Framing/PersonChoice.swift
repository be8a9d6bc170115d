package import Imaging

/// The choice of the person whom the output follows.
package struct PersonChoice: Sendable {
    /// The wish of a user: an id, a point on the person, or nobody in particular.
    package enum Wish: Sendable, Equatable {
        case anybody
        case id(Int)
        /// A point, normalised to 0...1 of the frame; `click` differs each time that the same point is chosen.
        case point(Point, click: UInt)
    }

    /// Time for which nobody else is followed after a person was lost, in seconds: people turn around, or are hidden.
    private static let patience = 1.0
    /// Largest distance of a head from where it was, in its radii, for a person without an id to be the same.
    private static let reach = 3.0
    /// Size that others must exceed to be followed instead of nobody in particular, as a multiple: people who pass by are
    /// not followed.
    private static let prominence = 1.8

    private var wish = Wish.anybody
    private var followed: FramedPerson?
    private var lostFor = 0.0
    /// Time for which another person has been much larger, in seconds.
    private var outdoneFor = 0.0

    /// Creates a choice of nobody.
    package init() {}

    /// Chooses again, because the next frame does not follow the last; a person with a known id stays chosen.
    package mutating func restart() { self = PersonChoice() }

    /// Returns the person to follow in a frame `seconds` after the last; nil if he or she is not seen.
    ///
    /// - Parameter frameAspect: width over height of the displayed frame.
    package mutating func choose(
        among people: [FramedPerson], _ wish: Wish, after seconds: Double, frameAspect: Double
    ) -> FramedPerson? {
        if wish != self.wish { (self.wish, followed, lostFor) = (wish, nil, 0) }
        if case .id(let id) = wish { return people.first { $0.id == id } }
        guard let last = followed else { return begin(among: people, frameAspect: frameAspect) }
        guard let same = people.first(where: { Self.isSame($0, last) }) else {
            lostFor += seconds
            guard lostFor > Self.patience, wish == .anybody else { return nil }
            return begin(among: people, frameAspect: frameAspect)
        }
        let largest = people.max { $0.radius < $1.radius }
        let isOutdone = wish == .anybody && (largest?.radius ?? 0) > Self.prominence * same.radius
        outdoneFor = isOutdone ? outdoneFor + seconds : 0
        if outdoneFor > Self.patience { return begin(among: people, frameAspect: frameAspect) }
        (followed, lostFor) = (same, 0)
        return same
    }

    private mutating func begin(among people: [FramedPerson], frameAspect: Double) -> FramedPerson? {
        let chosen: FramedPerson?
        switch wish {
        case .anybody: chosen = people.max { $0.radius < $1.radius }
        case .id: chosen = nil
        case .point(let point, _):
            let place = Point(x: point.x * frameAspect, y: point.y)
            chosen = people.filter { $0.isAt(place) }.min { $0.distance(to: place) < $1.distance(to: place) }
        }
        if let chosen { (followed, lostFor, outdoneFor) = (chosen, 0, 0) }
        return chosen
    }

    private static func isSame(_ person: FramedPerson, _ last: FramedPerson) -> Bool {
        if let id = person.id, let before = last.id { return id == before }
        return person.distance(to: last.head) < reach * last.radius
    }
}

extension FramedPerson {
    /// Returns the distance of the head's centre from a point.
    func distance(to point: Point) -> Double {
        let (dx, dy) = (head.x - point.x, head.y - point.y)
        return (dx * dx + dy * dy).squareRoot()
    }

    /// Whether a point is on the head, or in the box of the body.
    fileprivate func isAt(_ point: Point) -> Bool {
        if distance(to: point) <= radius { return true }
        let box = Box(body ?? region(.upperBody))
        return (box.left...max(box.left, box.right)).contains(point.x)
            && (box.top...max(box.top, box.bottom)).contains(point.y)
    }
}
