public import Imaging

/// What is drawn of people.
public enum BodyOverlay: String, CaseIterable, Sendable {
    /// Nothing.
    case none
    /// A box around each person.
    case boxes
    /// Lines between the joints: orange on the person's left, blue on the right.
    case skeleton
    /// Both.
    case all
}

extension BodyOverlay {
    /// Draws `people` into the picture that they were found in, in its own format.
    public func draw(_ people: [HumanBodyPoseObservation], on image: MutableImageView) {
        guard self != .none else { return }
        let pen = OverlayPen(image)
        for person in people {
            if self == .boxes || self == .all { pen.draw(person.boundingBox, color: .yellow) }
            if self == .skeleton || self == .all { pen.draw(skeletonOf: person) }
        }
    }
}

extension OverlayPen {
    /// Joints of less confidence, 0...1, are left out.
    private static let leastConfidence = 0.3

    private typealias Name = HumanBodyPoseObservation.JointName

    private static let bones: [(Name, Name, RGBColor)] = [
        (.neck, .nose, .white), (.neck, .root, .white),
        (.nose, .leftEye, .orange), (.leftEye, .leftEar, .orange),
        (.nose, .rightEye, .blue), (.rightEye, .rightEar, .blue),
        (.neck, .leftShoulder, .orange), (.leftShoulder, .leftElbow, .orange),
        (.leftElbow, .leftWrist, .orange),
        (.neck, .rightShoulder, .blue), (.rightShoulder, .rightElbow, .blue),
        (.rightElbow, .rightWrist, .blue),
        (.root, .leftHip, .orange), (.leftHip, .leftKnee, .orange), (.leftKnee, .leftAnkle, .orange),
        (.root, .rightHip, .blue), (.rightHip, .rightKnee, .blue), (.rightKnee, .rightAnkle, .blue),
    ]

    fileprivate func draw(skeletonOf person: HumanBodyPoseObservation) {
        for (start, end, color) in Self.bones {
            let (start, end) = (person.joint(start), person.joint(end))
            guard min(start.confidence, end.confidence) >= Self.leastConfidence else { continue }
            line(from: start.location, to: end.location, width: 1.6 * width, color: color)
        }
        for joint in person.joints where joint.confidence >= Self.leastConfidence {
            disc(joint.location, radius: 1.4 * width, color: .white)
        }
    }
}
