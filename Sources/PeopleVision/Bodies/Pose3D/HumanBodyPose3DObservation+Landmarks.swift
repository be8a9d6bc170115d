package import Imaging

extension HumanBodyPose3DObservation {
    /// A body that was placed in front of the camera.
    ///
    /// - Parameters:
    ///   - size: of the upright frame in pixels.
    ///   - toStored: from its unit square to that of the stored picture.
    ///   - isMeasured: whether the placed body has its true size.
    ///   - joints: memory for the positions, to be kept from picture to picture.
    /// - Returns: nil when the body has no size.
    package init?(
        _ placement: BodyPlacement, _ camera: Camera, size: Size, toStored: FrameTransform,
        isMeasured: Bool = false, _ joints: inout [SIMD3<Double>]
    ) {
        joints.removeAll(keepingCapacity: true)
        for name in JointName.allCases { joints.append(placement.joint(name)) }
        // Seen from the camera, a body twice as large and twice as far away is the same.
        let height = Self.standingHeight(joints)
        let scale = isMeasured ? 1 : Self.referenceHeight / height
        guard scale.isFinite, height.isFinite, height > 0 else { return nil }
        let root = joints[JointName.root.index] * scale
        for index in joints.indices { joints[index] = joints[index] * scale - root }
        self.init(
            bodyHeight: isMeasured ? height : Self.referenceHeight,
            heightEstimation: isMeasured ? .measured : .reference,
            positions: joints, rootPosition: root, camera: camera, toStored: toStored, size: size)
    }

    /// The length of the path from the top of the head down the trunk and a leg to the sole, the mean of both legs.
    private static func standingHeight(_ joints: [SIMD3<Double>]) -> Double {
        func distance(_ a: JointName, _ b: JointName) -> Double { (joints[a.index] - joints[b.index]).length }
        let trunk =
            distance(.topHead, .centerHead) + distance(.centerHead, .centerShoulder)
            + distance(.centerShoulder, .root)
        let left = distance(.leftHip, .leftKnee) + distance(.leftKnee, .leftAnkle)
        let right = distance(.rightHip, .rightKnee) + distance(.rightKnee, .rightAnkle)
        return (trunk + (left + right) / 2) / (1 - ankleHeight)
    }

    /// Of the ankle above the sole, as a share of the height (Drillis and Contini, 1966).
    private static let ankleHeight = 0.039
}

extension BodyPlacement {
    /// The top of the head is as far above the ears as 1.9 times the eyes are above the mouth: 13 cm and 7 cm on an
    /// adult's head.
    private static let crown = 1.9

    fileprivate func middle(_ a: BodyPoint, _ b: BodyPoint) -> SIMD3<Double> { (self[a] + self[b]) / 2 }

    fileprivate func joint(_ name: HumanBodyPose3DObservation.JointName) -> SIMD3<Double> {
        switch name {
        case .topHead:
            middle(.leftEar, .rightEar)
                + (middle(.leftEye, .rightEye) - middle(.leftMouth, .rightMouth)) * Self.crown
        case .centerHead: middle(.leftEar, .rightEar)
        case .centerShoulder: middle(.leftShoulder, .rightShoulder)
        case .spine: (joint(.centerShoulder) + joint(.root)) / 2
        case .root: middle(.leftHip, .rightHip)
        case .leftShoulder: self[.leftShoulder]
        case .rightShoulder: self[.rightShoulder]
        case .leftElbow: self[.leftElbow]
        case .rightElbow: self[.rightElbow]
        case .leftWrist: self[.leftWrist]
        case .rightWrist: self[.rightWrist]
        case .leftHip: self[.leftHip]
        case .rightHip: self[.rightHip]
        case .leftKnee: self[.leftKnee]
        case .rightKnee: self[.rightKnee]
        case .leftAnkle: self[.leftAnkle]
        case .rightAnkle: self[.rightAnkle]
        }
    }
}
