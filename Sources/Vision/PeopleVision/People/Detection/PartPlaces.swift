import Imaging

/// The places where the faces and hands of an image's people can be, in the stored image.
///
/// Nil where no person is known: they can then be anywhere.
struct PartPlaces {
    let faces: [Rectangle]?
    let hands: [Rectangle]?

    /// Minimum confidence of a visible joint, 0...1 (the value of the model's authors).
    private static let visible = 0.5

    /// Collects heads and wrists of bodies, and whole boxes of people without a known body.
    ///
    /// - Parameter boxes: boxes of the people that masks and the person detector have found.
    init(of bodies: [HumanBodyPoseObservation], and boxes: [Rectangle]) {
        let others = boxes.reduce(into: [Rectangle]()) { others, box in
            let known = bodies.map(\.boundingBox) + others
            guard !known.contains(where: { $0.overlap(with: box) > BodyTracker.knownOverlap }) else { return }
            others.append(box)
        }
        let isAnyoneThere = !bodies.isEmpty || !others.isEmpty
        faces = isAnyoneThere ? bodies.map(Self.head) + others : nil
        hands = isAnyoneThere ? bodies.flatMap(Self.wrists) + others : nil
    }

    /// Returns the box around eyes, ears and nose.
    private static func head(of body: HumanBodyPoseObservation) -> Rectangle {
        let points = HumanBodyPoseObservation.JointsGroupName.face.joints.map { body.joint($0).location }
        let (x, y) = (points.map(\.x), points.map(\.y))
        let (left, top) = (x.min() ?? 0, y.min() ?? 0)
        return Rectangle(x: left, y: top, width: (x.max() ?? 0) - left, height: (y.max() ?? 0) - top)
    }

    /// Returns the visible wrists, as points.
    private static func wrists(of body: HumanBodyPoseObservation) -> [Rectangle] {
        [body.joint(.leftWrist), body.joint(.rightWrist)].compactMap { wrist in
            guard wrist.confidence >= visible, Rectangle.unit.contains(wrist.location) else { return nil }
            return Rectangle(center: wrist.location, size: Size(width: 0, height: 0))
        }
    }
}

/// The kinds of parts of a stream's people that are still to be found.
///
/// If a body shows a face or hand that has not been found yet, a search is worth its cost in every
/// interval. Where all visible parts are known, searches are rare but do not stop, because the body detector
/// misses people too.
struct MissingParts: Equatable {
    /// Whether a visible face has not been found.
    private(set) var hasFaces = true
    /// Whether a visible hand has not been found.
    private(set) var hasHands = true

    /// Minimum confidence of a visible joint, 0...1 (the value of the model's authors).
    private static let visible = 0.5
    /// Factor of the search interval where nothing is missing.
    private static let relaxation = 5

    /// Determines the parts that are missing in a frame.
    ///
    /// - Parameter people: the people of the frame, without parts that have no known person.
    init(_ people: [PersonObservation] = []) {
        guard !people.isEmpty else { return }
        hasFaces = people.contains { person in
            guard person.face == nil else { return false }
            return person.body.map { Self.isSeen($0.joint(.nose)) } ?? true
        }
        hasHands = people.contains { person in
            guard let body = person.body else { return person.hands.count < 2 }
            let wrists = [body.joint(.leftWrist), body.joint(.rightWrist)].filter(Self.isSeen)
            return person.hands.count < wrists.count
        }
    }

    private static func isSeen(_ joint: Joint) -> Bool {
        joint.confidence >= visible && Rectangle.unit.contains(joint.location)
    }

    /// Returns the time from one search to the next; nil stays nil.
    func interval(_ interval: Duration?, isMissing: KeyPath<MissingParts, Bool>) -> Duration? {
        interval.map { self[keyPath: isMissing] ? $0 : $0 * Self.relaxation }
    }
}
