import Imaging

/// Where the faces and hands of an image's people can be, in the image as it is stored.
///
/// Nil where no person is known: then they can be anywhere.
struct PartPlaces {
    let faces: [Rectangle]?
    let hands: [Rectangle]?

    /// A joint that is more certain than this, 0...1, is seen (the authors of the model say so).
    private static let visible = 0.5

    /// Heads and wrists of bodies, and the whole of people whose body is not known.
    ///
    /// - Parameter boxes: of the people whom masks and the person detector have found.
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

    /// Around eyes, ears and nose.
    private static func head(of body: HumanBodyPoseObservation) -> Rectangle {
        let points = HumanBodyPoseObservation.JointsGroupName.face.joints.map { body.joint($0).location }
        let (x, y) = (points.map(\.x), points.map(\.y))
        let (left, top) = (x.min() ?? 0, y.min() ?? 0)
        return Rectangle(x: left, y: top, width: (x.max() ?? 0) - left, height: (y.max() ?? 0) - top)
    }

    /// The wrists that are seen, as points.
    private static func wrists(of body: HumanBodyPoseObservation) -> [Rectangle] {
        [body.joint(.leftWrist), body.joint(.rightWrist)].compactMap { wrist in
            guard wrist.confidence >= visible, Rectangle.unit.contains(wrist.location) else { return nil }
            return Rectangle(center: wrist.location, size: Size(width: 0, height: 0))
        }
    }
}
