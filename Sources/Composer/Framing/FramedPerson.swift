package import Imaging

/// A person for whom a frame is cropped; lengths are in heights of the displayed frame, from its upper left corner.
package struct FramedPerson: Sendable, Equatable {
    /// The number that stays with the person; nil if unknown.
    package var id: Int?
    /// The centre of the head.
    package var head: Point
    /// The radius of the circle around skull, face and short hair.
    package var radius: Double
    /// The box around what is seen of the person; nil if unknown.
    package var body: Rectangle?
    /// The direction of the face: -1 to the frame's left, 0 ahead or unknown, 1 to its right.
    package var gaze = 0.0
    /// The distance between the lips, in heights of the face; nil if unknown.
    package var mouth: Double?

    /// Creates a person of whom the head is known.
    package init(id: Int?, head: Point, radius: Double, body: Rectangle? = nil, gaze: Double = 0) {
        (self.id, self.head, self.radius, self.body, self.gaze) = (id, head, radius, body, gaze)
    }

    /// Creates a person of whom only the outline's box is known.
    ///
    /// The shoulders of adults are 2.2 radii of the head apart, and a standing person is 10.5 radii high (means of ANSUR II,
    /// Gordon et al. 2014, as for the radius). Spread arms make a box wide, so a third of the height is the limit.
    ///
    /// - Parameter top: the horizontal place of the outline's uppermost part.
    package init(id: Int?, outline box: Rectangle, top: Double) {
        let radius = max(box.height / 10.5, min(box.width / 3.2, box.height / 6))
        self.init(
            id: id, head: Point(x: limited(top, box.x, box.x + box.width), y: box.y + 0.8 * radius),
            radius: radius, body: box)
    }

    /// Whether all lengths are those of something that can be seen.
    package var isUsable: Bool {
        let largest = 1e3
        let box = body ?? Rectangle(x: 0, y: 0, width: 1, height: 1)
        return [head.x, head.y, radius, box.x, box.y, box.width, box.height, gaze].allSatisfy {
            abs($0) < largest
        }
            && radius > 1e-4 && box.width > 0 && box.height > 0
    }
}

/// The part of a person, or of all people, that the output shows.
package enum FramingChoice: String, CaseIterable, Sendable {
    case face
    case headAndShoulders = "head-and-shoulders"
    case upperBody = "upper-body"
    case body
    case everyone

    /// The space around the centre of the head, in its radii: above, below and on either side.
    ///
    /// A radius is 0.165 m. The head is a third below the upper edge, except where only the face or the whole body is
    /// shown.
    fileprivate var space: (above: Double, below: Double, beside: Double) {
        switch self {
        case .face: (1.4, 1.5, 1.4)
        case .headAndShoulders: (1.6, 3.2, 2.1)
        case .upperBody, .everyone: (2.4, 4.8, 2.4)
        case .body: (1.7, 10.2, 2.4)
        }
    }
}

extension FramedPerson {
    /// Returns the box that the output should show of the person.
    func region(_ choice: FramingChoice) -> Rectangle {
        let space = choice.space
        var box = Box(
            left: head.x - space.beside * radius, right: head.x + space.beside * radius,
            top: head.y - space.above * radius, bottom: head.y + space.below * radius)
        if choice == .body, let body {
            box.bottom = max(body.y + body.height, head.y + FramingChoice.upperBody.space.below * radius)
            (box.left, box.right) = (min(box.left, body.x), max(box.right, body.x + body.width))
        }
        return box.rectangle
    }

    /// The box around the head, which must not be cut.
    package var headBox: Rectangle {
        Rectangle(center: head, size: Size(width: 2 * radius, height: 2 * radius))
    }
}

/// A rectangle by its edges.
struct Box {
    var left, right, top, bottom: Double

    init(left: Double, right: Double, top: Double, bottom: Double) {
        (self.left, self.right, self.top, self.bottom) = (left, right, top, bottom)
    }

    init(_ rectangle: Rectangle) {
        self.init(
            left: rectangle.x, right: rectangle.x + rectangle.width, top: rectangle.y,
            bottom: rectangle.y + rectangle.height)
    }

    var rectangle: Rectangle { Rectangle(x: left, y: top, width: right - left, height: bottom - top) }

    /// Extends the box to contain another.
    mutating func include(_ other: Rectangle) {
        let other = Box(other)
        (left, right) = (min(left, other.left), max(right, other.right))
        (top, bottom) = (min(top, other.top), max(bottom, other.bottom))
    }
}

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
        guard let same = people.first(where: { $0.isSame(as: last) }) else {
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

}

extension FramedPerson {
    /// Largest distance of a head from where it was, in its radii, for a person without an id to be the same.
    private static let reach = 3.0

    /// Whether the person is that of an earlier frame.
    func isSame(as earlier: FramedPerson) -> Bool {
        if let id, let before = earlier.id { return id == before }
        return distance(to: earlier.head) < Self.reach * earlier.radius
    }

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
