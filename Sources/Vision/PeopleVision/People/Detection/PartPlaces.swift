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
