public import Imaging

/// The parts of people that are drawn.
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
    /// Draws `people` into the image that they were found in, in its own format.
    public func draw(_ people: [HumanBodyPoseObservation], on image: MutableImageView) {
        for person in people { draw(person.boundingBox, on: image) { person.joint($0) } }
    }

    /// Draws one person; allocates nothing.
    ///
    /// - Parameter joint: returns the known joints.
    package func draw(
        _ box: Rectangle, on image: MutableImageView,
        joint: (HumanBodyPoseObservation.JointName) -> Joint?
    ) {
        let pen = OverlayPen(image)
        if self == .boxes || self == .all { pen.draw(box, color: .yellow) }
        if self == .skeleton || self == .all { pen.drawSkeleton(joint) }
    }
}

extension OverlayPen {
    /// Minimum confidence of joints that are drawn, 0...1.
    private static let minimumConfidence = 0.3

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

    fileprivate func drawSkeleton(
        _ joint: (HumanBodyPoseObservation.JointName) -> Joint?
    ) {
        for (start, end, color) in Self.bones {
            guard let start = joint(start), let end = joint(end),
                min(start.confidence, end.confidence) >= Self.minimumConfidence
            else { continue }
            line(from: start.location, to: end.location, width: 1.6 * width, color: color)
        }
        for name in Name.allCases {
            guard let joint = joint(name), joint.confidence >= Self.minimumConfidence else { continue }
            disc(joint.location, radius: 1.4 * width, color: .white)
        }
    }
}
