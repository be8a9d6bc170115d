package import Imaging

/// A part of a person that an analyser has found in a frame.
///
/// Places are normalised to 0...1 of the frame as stored.
package struct PersonPart {
    /// The kind of a part.
    package enum Kind: Sendable {
        /// A person in the label map.
        case outline
        case body, face, hand

        /// The maximum number of parts of this kind that a person has.
        var maximumCount: Int { self == .hand ? 2 : 1 }
    }

    package let kind: Kind
    /// A number that distinguishes the parts of a kind, and stays with a part that is followed.
    package let id: Int
    package let box: Rectangle
    /// The joints of a body, one for each of `HumanBodyPoseObservation.JointName`, or the points of a hand,
    /// the wrist first; empty for other parts.
    package let joints: [Joint]
    /// The label in the label map; 0 for parts other than outlines.
    package let label: Int

    package init(_ kind: Kind, id: Int, box: Rectangle, joints: [Joint] = [], label: Int = 0) {
        (self.kind, self.id, self.box, self.joints, self.label) = (kind, id, box, joints, label)
    }
}

/// Compares two parts of a frame by how well they fit together as parts of one person.
struct PersonEvidence {
    /// The label map of the frame's outlines; nil where there is none.
    let labels: MaskView?
    /// Width of the frame divided by its height, as displayed.
    let aspectRatio: Double

    /// Minimum confidence of a joint or point that counts as seen, 0...1 (the value of the models' authors).
    private static let visible = 0.5
    /// Minimum share of labelled points from which on labels decide, 0...1.
    ///
    /// Labels say nothing where masks have lost a person.
    private static let minimumLabelled = 0.25
    /// Weight of a joint of a body's head relative to other joints: heads are seen longest where people
    /// overlap.
    private static let weightOfHead = 2.0
    /// Maximum score for lying inside a person's box, 0...1: boxes of people overlap.
    private static let weightOfBox = 0.5
    /// Share of a face's box that shows the face itself; hair and background surround it.
    private static let innerFace = 0.7
    /// Points per side of the grid at which labels in a face are read.
    private static let grid = 5
    /// Distance between a face's centre and a body's head, in sizes of the face, beyond which they are not
    /// one person.
    private static let reachOfFace = 1.0
    /// Distance between a hand's wrist and a body's wrist, in sizes of the hand, beyond which they are not
    /// one person.
    ///
    /// BlazePose's wrists are off by up to half a hand.
    private static let reachOfHand = 1.5

    /// Returns the fit of a part with a person's outline or body, 0...1; nil where they cannot be compared.
    func fit(_ part: PersonPart, _ person: PersonPart) -> Double? {
        switch (person.kind, part.kind) {
        case (.outline, .outline), (.body, .body): nil
        case (.outline, _): share(of: part, in: person)
        case (_, .outline): share(of: person, in: part)
        case (.body, .face): nearness(face: part, person)
        case (.body, .hand): nearness(hand: part, person)
        // A face elsewhere is no evidence against: bodies sometimes miss their heads.
        case (.face, .body): nearness(face: person, part).flatMap { $0 > 0 ? $0 : nil }
        default: nil
        }
    }

    /// Returns the weight of a comparison with a person's body relative to one with the outline.
    ///
    /// An arm may reach over other people, and then the labels in a small hand are often those of these
    /// people.
    static func weight(of kind: PersonPart.Kind, for part: PersonPart) -> Double {
        kind == .body && part.kind == .hand ? 2 : 1
    }

    // MARK: - Outlines

    private func share(of part: PersonPart, in outline: PersonPart) -> Double {
        var (own, labelled, count) = (0.0, 0.0, 0.0)
        forEachPoint(of: part) { point, weight in
            guard let label = labels?.value(at: point) else { return }
            count += weight
            if label > 0 { labelled += weight }
            if label == outline.label { own += weight }
        }
        if count > 0, labelled >= Self.minimumLabelled * count { return own / labelled }
        return part.box.area > 0
            ? Self.weightOfBox * min(1, part.box.sharedArea(with: outline.box) / part.box.area) : 0
    }

    private func forEachPoint(of part: PersonPart, _ body: (Point, Double) -> Void) {
        guard part.joints.isEmpty else {
            let head = part.kind == .body ? HumanBodyPoseObservation.JointsGroupName.face.joints.count : 0
            for (index, joint) in part.joints.enumerated() where joint.confidence >= Self.visible {
                body(joint.location, index < head ? Self.weightOfHead : 1)
            }
            return
        }
        for row in 0..<Self.grid {
            for column in 0..<Self.grid { body(place(column, row, in: part.box), 1) }
        }
    }

    private func place(_ column: Int, _ row: Int, in box: Rectangle) -> Point {
        let share = { (index: Int) in
            0.5 + Self.innerFace * (Double(index) / Double(Self.grid - 1) - 0.5)
        }
        return Point(x: box.x + share(column) * box.width, y: box.y + share(row) * box.height)
    }

    // MARK: - Bodies

    private func nearness(face: PersonPart, _ body: PersonPart) -> Double? {
        guard let nose = joint(.nose, body), let left = joint(.leftEye, body),
            let right = joint(.rightEye, body)
        else { return nil }
        let (a, b, c) = (nose.location, left.location, right.location)
        let head = Point(x: (a.x + b.x + c.x) / 3, y: (a.y + b.y + c.y) / 3)
        return nearness(head, face.box.center, of: face.box, reach: Self.reachOfFace)
    }

    private func nearness(hand: PersonPart, _ body: PersonPart) -> Double? {
        guard let wrist = hand.joints.first, let left = joint(.leftWrist, body),
            let right = joint(.rightWrist, body)
        else { return nil }
        return max(
            nearness(wrist, of: hand.box, to: left.location),
            nearness(wrist, of: hand.box, to: right.location))
    }

    /// Returns the nearness of a hand to a body's wrist, 0...1; 0 where they are not one person's.
    ///
    /// - Parameters:
    ///   - wrist: the wrist as the hand has it.
    ///   - box: the box of the hand.
    ///   - place: the wrist as the body has it.
    func nearness(_ wrist: Joint, of box: Rectangle, to place: Point) -> Double {
        nearness(place, wrist.location, of: box, reach: Self.reachOfHand)
    }

    private func joint(_ name: HumanBodyPoseObservation.JointName, _ body: PersonPart) -> Joint? {
        body.joints.indices.contains(name.index) ? body.joints[name.index] : nil
    }

    /// Returns 1 where two points are the same, and 0 where they are `reach` times the longer side of a box
    /// apart.
    private func nearness(_ a: Point, _ b: Point, of box: Rectangle, reach: Double) -> Double {
        let (dx, dy) = ((a.x - b.x) * aspectRatio, a.y - b.y)
        let size = max(box.width * aspectRatio, box.height)
        guard size > 0 else { return 0 }
        return max(0, 1 - (dx * dx + dy * dy).squareRoot() / (reach * size))
    }
}
