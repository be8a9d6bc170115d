public import Imaging

/// The parts of hands that are drawn.
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
    /// Draws `hands` into the image that they were found in, in its own format.
    public func draw(_ hands: [HumanHandPoseObservation], on image: MutableImageView) {
        for hand in hands {
            draw(hand.boundingBox, hand.chirality, on: image) { hand.joint($0).location }
        }
    }

    /// Draws one hand; allocates nothing.
    ///
    /// - Parameter joint: returns the known places.
    package func draw(
        _ box: Rectangle, _ chirality: HumanHandPoseObservation.Chirality, on image: MutableImageView,
        joint: (HumanHandPoseObservation.JointName) -> Point?
    ) {
        let pen = OverlayPen(image)
        if self == .boxes || self == .all { pen.draw(box, color: .yellow) }
        if self == .skeleton || self == .all {
            pen.drawSkeleton(joint, color: chirality == .left ? .orange : .blue)
        }
    }
}

extension OverlayPen {
    private typealias Name = HumanHandPoseObservation.JointName

    /// The lines across the palm.
    private static let knuckles: [(Name, Name)] = [
        (.wrist, .thumbCMC), (.thumbCMC, .indexMCP), (.indexMCP, .middleMCP), (.middleMCP, .ringMCP),
        (.ringMCP, .littleMCP), (.littleMCP, .wrist),
    ]

    fileprivate func drawSkeleton(_ joint: (HumanHandPoseObservation.JointName) -> Point?, color: RGBColor) {
        func bone(_ start: Name, _ end: Name) {
            guard let start = joint(start), let end = joint(end) else { return }
            line(from: start, to: end, width: 1.4 * width, color: color)
        }
        for (start, end) in Self.knuckles { bone(start, end) }
        for group in HumanHandPoseObservation.JointsGroupName.allCases {
            let joints = group.joints
            for (start, end) in zip(joints, joints.dropFirst()) { bone(start, end) }
        }
        for name in Name.allCases {
            if let place = joint(name) { disc(place, radius: 1.2 * width, color: .white) }
        }
    }
}
