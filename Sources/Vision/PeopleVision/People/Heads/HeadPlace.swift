package import Imaging

/// The place of a head in a frame: a circle around skull, face and short hair, and what the mask shows above it.
///
/// Sizes of bodies are means of adults (ANSUR II, Gordon et al. 2014): the ears are 0.13 m below the top of the
/// head, which is 0.15 m wide and 0.20 m deep. With hair and the errors of the models that is a circle of
/// `radius` around the middle between the ears.
package struct HeadPlace: Sendable, Equatable {
    /// The centre, normalised to 0...1 of the frame as stored; it may lie outside.
    package var center: Point
    /// The radius in heights of the frame as displayed.
    package var radius: Double
    /// The direction from the neck to the top of the head, in the frame as stored and in heights of the displayed
    /// frame; of length 1.
    package var up: Point

    /// Radius of the circle, in metres.
    private static let radius = 0.165

    /// Creates the circle around `center`; the direction `up` may have any length.
    package init(center: Point, radius: Double, up: Point = Point(x: 0, y: -1)) {
        let length = (up.x * up.x + up.y * up.y).squareRoot()
        (self.center, self.radius) = (center, radius)
        self.up = length > 0 ? Point(x: up.x / length, y: up.y / length) : Point(x: 0, y: 0)
    }
}

// MARK: - Heads of bodies

extension HeadPlace {
    private typealias Name = HumanBodyPoseObservation.JointName

    /// Distances between joints as seen from ahead, in metres; `noseAhead` as seen from the side.
    ///
    /// Heads of children are larger in proportion, so these are less than an adult's (0.36 m between the joints
    /// of the shoulders, 0.5 m from them to the hips, 0.22 m to the ears).
    private static let lengths = (ears: 0.15, noseAhead: 0.12, shoulders: 0.33, trunk: 0.5, neck: 0.22)
    /// Minimum confidence of joints below the head that tell its size, 0...1.
    private static let minimumConfidence = 0.5

    /// Finds the head of a body.
    ///
    /// Parts of the body look shorter from other directions, but never longer: the largest of several estimates
    /// counts.
    ///
    /// - Parameters:
    ///   - joints: the joints of `HumanBodyPoseObservation.joints`; nil is returned for another number.
    ///   - aspectRatio: width of the displayed frame divided by its height.
    package init?(joints: [Joint], aspectRatio: Double) {
        guard joints.count == Name.allCases.count else { return nil }
        let joint = { (name: Name) in joints[name.index] }
        let distance = { (one: Point, other: Point) in Self.distance(one, other, aspectRatio) }
        let (left, right) = (joint(.leftEar).location, joint(.rightEar).location)
        let ears = Point(x: (left.x + right.x) / 2, y: (left.y + right.y) / 2)
        let across = distance(left, right) / Self.lengths.ears
        let ahead = distance(ears, joint(.nose).location) / Self.lengths.noseAhead
        var metre = (across * across + ahead * ahead).squareRoot()
        let isSeen = { (name: Name) in joint(name).confidence >= Self.minimumConfidence }
        if isSeen(.leftShoulder), isSeen(.rightShoulder) {
            let (left, right) = (joint(.leftShoulder).location, joint(.rightShoulder).location)
            metre = max(metre, distance(left, right) / Self.lengths.shoulders)
            metre = max(metre, distance(ears, joint(.neck).location) / Self.lengths.neck)
            if isSeen(.leftHip), isSeen(.rightHip) {
                let trunk = distance(joint(.neck).location, joint(.root).location)
                metre = max(metre, trunk / Self.lengths.trunk)
            }
        }
        let neck = joint(.neck).location
        let up = Point(x: (ears.x - neck.x) * aspectRatio, y: ears.y - neck.y)
        self.init(center: ears, radius: metre * Self.radius, up: up)
        guard isUsable else { return nil }
    }

    /// Finds the head of a face.
    ///
    /// - Parameters:
    ///   - box: the box around the face, forehead to chin, normalised.
    ///   - up: the upward direction of the upright frame, in the frame as stored.
    ///   - aspectRatio: width of the displayed frame divided by its height.
    package init?(face box: Rectangle, up: Point, aspectRatio: Double) {
        let side = max(box.width * aspectRatio, box.height)
        self.init(center: box.center, radius: Self.radiusOfFace * side, up: up)
        guard isUsable else { return nil }
    }

    /// Radius of the circle around a face's centre, in longer sides of its box.
    ///
    /// The box of the face mesh is 0.18 m high. Seen from the side, the back of the head is 0.17 m behind its
    /// centre.
    private static let radiusOfFace = 0.95

    /// Whether the circle can be drawn: data from outside may contain any number.
    private var isUsable: Bool { center.x.isFinite && center.y.isFinite && radius.isFinite && radius > 0 }

    private static func distance(_ one: Point, _ other: Point, _ aspectRatio: Double) -> Double {
        let (dx, dy) = ((one.x - other.x) * aspectRatio, one.y - other.y)
        return (dx * dx + dy * dy).squareRoot()
    }
}

// MARK: - Drawing

extension HeadPlace {
    /// Whether a point lies in the circle.
    ///
    /// - Parameter aspectRatio: width of the displayed frame divided by its height.
    package func contains(_ point: Point, aspectRatio: Double) -> Bool {
        Self.distance(center, point, aspectRatio) <= radius
    }

    /// Radius in which what people's masks show above the centre belongs to the head, in radii: high hair, hats,
    /// and the error of a circle that is too low.
    private static let hairRadius = 1.6

    /// Sets the values of `mask`, which shows the whole frame, to 1 where they touch the circle, and above its
    /// centre also beside it where people are.
    ///
    /// - Parameters:
    ///   - people: the mask of all people, of the same size.
    ///   - visible: the minimum value of `people` that counts.
    ///   - aspectRatio: width of the displayed frame divided by its height.
    package func fill(_ mask: FloatImage, people: FloatImage, visible: Float, aspectRatio: Double) {
        guard aspectRatio > 0, (people.width, people.height) == (mask.width, mask.height) else { return }
        let (width, height) = (Double(mask.width), Double(mask.height))
        // Half a diagonal of a value, so that values that the circle only touches count.
        let reach = radius + 0.5 * (aspectRatio / width + 1 / height)
        let wide = max(reach, Self.hairRadius * radius)
        let box = Rectangle(
            center: center, size: Size(width: 2 * wide / aspectRatio, height: 2 * wide))
        let part = PixelRect(box, width: mask.width, height: mask.height)
        for y in part.y..<(part.y + part.height) {
            let (row, person, dy) = (mask.row(y), people.row(y), (Double(y) + 0.5) / height - center.y)
            for x in part.x..<(part.x + part.width) {
                let dx = ((Double(x) + 0.5) / width - center.x) * aspectRatio
                let distance = dx * dx + dy * dy
                let isHair =
                    distance <= wide * wide && dx * up.x + dy * up.y > 0 && person[x] >= visible
                if distance <= reach * reach || isHair { row[x] = 1 }
            }
        }
    }

    /// Distance of the points beside the centre at which a person is looked for, in radii: they lie in face and
    /// skull, which are higher than wide.
    private static let probeDistance = 0.4

    /// Whether a person is seen where the head should be: `isPerson` is true for most of five points, the centre
    /// and four around it, moved into the frame.
    ///
    /// - Parameter aspectRatio: width of the displayed frame divided by its height.
    package func isSeen(aspectRatio: Double, _ isPerson: (Point) -> Bool) -> Bool {
        let distance = Self.probeDistance * radius
        let (dx, dy) = (distance / max(aspectRatio, .leastNormalMagnitude), distance)
        func test(_ x: Double, _ y: Double) -> Int {
            isPerson(Point(x: min(max(center.x + x, 0), 1), y: min(max(center.y + y, 0), 1))) ? 1 : 0
        }
        return test(0, 0) + test(-dx, 0) + test(dx, 0) + test(0, -dy) + test(0, dy) >= 3
    }
}
