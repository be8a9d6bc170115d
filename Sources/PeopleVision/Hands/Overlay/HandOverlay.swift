public import Imaging

/// What is drawn of hands.
public enum HandOverlay: String, CaseIterable, Sendable {
    /// Nothing.
    case none
    /// A box around each hand.
    case boxes
    /// Lines between the joints: orange for left hands, blue for right ones.
    case skeleton
    /// Both.
    case all
}

extension HandOverlay {
    /// Draws `hands` into the picture that they were found in, in its own format.
    public func draw(_ hands: [HumanHandPoseObservation], on image: MutableImageView) {
        guard self != .none else { return }
        let pen = OverlayPen(image)
        for hand in hands {
            if self == .boxes || self == .all { pen.draw(hand.boundingBox, color: .yellow) }
            if self == .skeleton || self == .all { pen.draw(skeletonOf: hand) }
        }
    }
}

extension OverlayPen {
    private typealias Name = HumanHandPoseObservation.JointName

    /// Across the palm.
    private static let knuckles: [(Name, Name)] = [
        (.wrist, .thumbCMC), (.thumbCMC, .indexMCP), (.indexMCP, .middleMCP), (.middleMCP, .ringMCP),
        (.ringMCP, .littleMCP), (.littleMCP, .wrist),
    ]

    fileprivate func draw(skeletonOf hand: HumanHandPoseObservation) {
        let color: RGBColor = hand.chirality == .left ? .orange : .blue
        for (start, end) in Self.knuckles { bone(hand, start, end, color) }
        for group in HumanHandPoseObservation.JointsGroupName.allCases {
            let joints = group.joints
            for (start, end) in zip(joints, joints.dropFirst()) { bone(hand, start, end, color) }
        }
        for joint in hand.joints { disc(joint.location, radius: 1.2 * width, color: .white) }
    }

    private func bone(_ hand: HumanHandPoseObservation, _ start: Name, _ end: Name, _ color: RGBColor) {
        line(
            from: hand.joint(start).location, to: hand.joint(end).location, width: 1.4 * width, color: color)
    }
}
