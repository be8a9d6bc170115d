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
