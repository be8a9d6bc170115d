public import Imaging

/// A body in space: 17 joints in metres.
///
/// Axes are those of the camera that sees the upright image: x to the right, y up, z towards the camera; right-handed.
/// The origin is the root, the middle of the hips. Left and right are the person's own.
///
/// Without a depth map the body is estimated: a single image does not determine the size of a person. Every
/// body is assumed to have `bodyHeight`, and the camera is placed as far away as such a person would be. The
/// camera sees joints at their places in the image. Relative depths are the landmark model's estimates, and
/// so are joints that are hidden or outside of the image. Joints have no directions of their own: no
/// transform has a rotation.
///
/// With a depth map of the image, size and distances are measured; `heightEstimation` says so. Visible joints
/// are then placed below the measured skin, as far as on an average body.
public struct HumanBodyPose3DObservation: VisionObservation, Hashable {
    /// A joint, in the order of `positions`; raw values are the names in metadata.
    public enum JointName: String, CaseIterable, Sendable {
        /// The top of the head: estimated from eyes, ears and mouth.
        case topHead = "top-head"
        /// The middle between the ears.
        case centerHead = "center-head"
        /// The middle of the shoulders.
        case centerShoulder = "center-shoulder"
        case leftShoulder = "left-shoulder"
        case rightShoulder = "right-shoulder"
        case leftElbow = "left-elbow"
        case rightElbow = "right-elbow"
        case leftWrist = "left-wrist"
        case rightWrist = "right-wrist"
        /// Half way from the root to the middle of the shoulders.
        case spine
        /// The middle of the hips.
        case root
        case leftHip = "left-hip"
        case rightHip = "right-hip"
        case leftKnee = "left-knee"
        case rightKnee = "right-knee"
        case leftAnkle = "left-ankle"
        case rightAnkle = "right-ankle"

        /// The index in `HumanBodyPose3DObservation.positions`.
        public var index: Int { Self.indices[self] ?? 0 }

        private static let indices = Dictionary(uniqueKeysWithValues: zip(allCases, 0...))
    }

    /// Groups of joints.
    public enum JointsGroupName: String, CaseIterable, JointsGroup, Sendable {
        case head
        case torso
        case leftArm = "left-arm"
        case rightArm = "right-arm"
        case leftLeg = "left-leg"
        case rightLeg = "right-leg"
    }

    /// The source of the height.
    public enum HeightEstimation: String, Codable, Sendable {
        /// The height was assumed to be `BodyRequest.Configuration.bodyHeight`.
        case reference
        /// The height was measured with the image's depth map.
        case measured
    }

    /// Height of the standing person, in metres, from the soles to the top of the head.
    @_disfavoredOverload
    public let bodyHeight: Double
    /// The source of `bodyHeight`.
    public let heightEstimation: HeightEstimation
    /// The joints, one for each of `JointName.allCases`, in metres from the root.
    public let positions: [SIMD3<Double>]
    /// The position of the root, in metres from the camera; z is negative.
    public let rootPosition: SIMD3<Double>
    /// The left hand, if `detectsHands` is on and the hand is seen.
    public internal(set) var leftHand: HumanHandPoseObservation?
    /// The right hand, likewise.
    public internal(set) var rightHand: HumanHandPoseObservation?
    /// The assumed camera.
    let camera: Camera
    /// The transform from the upright frame's unit square to the stored image's, and the frame's size in
    /// pixels.
    let toStored: FrameTransform
    let size: Size
    /// The identifier of this observation, which takes no part in comparisons.
    @_disfavoredOverload
    @Incomparable public private(set) var uuid = ObservationUUID()
}

extension HumanBodyPose3DObservation {
    /// `bodyHeight`, for a module in which another property of that name hides it.
    package var heightInMetres: Double { bodyHeight }

    /// Returns the transform from the root to a joint.
    func position(_ joint: JointName) -> Transform3D {
        Transform3D(translation: positions[joint.index])
    }

    /// Returns the transform from a joint's parent to the joint; the identity for the root.
    func localPosition(_ joint: JointName) -> Transform3D {
        Transform3D(translation: positions[joint.index] - positions[(joint.parent ?? joint).index])
    }

    /// The transform from the root to the camera; the axes of both are the same.
    @_disfavoredOverload
    public var cameraOriginMatrix: Transform3D { Transform3D(translation: -rootPosition) }

    /// Returns the transform from the camera to a joint.
    @_disfavoredOverload
    public func cameraRelativePosition(for joint: JointName) -> Transform3D {
        Transform3D(translation: rootPosition + positions[joint.index])
    }

    /// Returns the place at which the camera sees a joint, in the image's stored orientation, normalised; nil
    /// behind the camera.
    public func pointInImage(for joint: JointName) -> Point? {
        guard let pixel = camera.pixel(rootPosition + positions[joint.index]) else { return nil }
        return toStored.map(Point(x: pixel.x / size.width, y: pixel.y / size.height))
    }
}

extension HumanBodyPose3DObservation.JointName {
    /// The joint before this one on the way from the root; nil for the root.
    public var parent: Self? {
        switch self {
        case .root: nil
        case .spine, .leftHip, .rightHip: .root
        case .centerShoulder: .spine
        case .centerHead, .leftShoulder, .rightShoulder: .centerShoulder
        case .topHead: .centerHead
        case .leftElbow: .leftShoulder
        case .rightElbow: .rightShoulder
        case .leftWrist: .leftElbow
        case .rightWrist: .rightElbow
        case .leftKnee: .leftHip
        case .rightKnee: .rightHip
        case .leftAnkle: .leftKnee
        case .rightAnkle: .rightKnee
        }
    }
}

extension HumanBodyPose3DObservation.JointsGroupName {
    /// The group's joints.
    public var joints: [HumanBodyPose3DObservation.JointName] {
        switch self {
        case .head: [.topHead, .centerHead]
        case .torso: [.centerShoulder, .leftShoulder, .rightShoulder, .spine, .root, .leftHip, .rightHip]
        case .leftArm: [.leftShoulder, .leftElbow, .leftWrist]
        case .rightArm: [.rightShoulder, .rightElbow, .rightWrist]
        case .leftLeg: [.leftHip, .leftKnee, .leftAnkle]
        case .rightLeg: [.rightHip, .rightKnee, .rightAnkle]
        }
    }
}

extension HumanBodyPose3DObservation {
    /// Creates the observation of a body that was placed in front of the camera.
    ///
    /// - Parameters:
    ///   - size: size of the upright frame in pixels.
    ///   - toStored: maps the frame's unit square to that of the stored image.
    ///   - height: height of the standing person, in metres; nil where the placed body has its true size.
    ///   - joints: memory for the positions, to be kept from frame to frame.
    /// - Returns: nil when the body has no size.
    package init?(
        _ placement: BodyPlacement, _ camera: Camera, size: Size, toStored: FrameTransform,
        height: Double?, _ joints: inout [SIMD3<Double>]
    ) {
        joints.removeAll(keepingCapacity: true)
        for name in JointName.allCases { joints.append(placement.joint(name)) }
        // The camera sees no difference if a body is twice as large and twice as far away.
        let placedHeight = Self.standingHeight(joints)
        let scale = height.map { $0 / placedHeight } ?? 1
        guard scale.isFinite, scale > 0, placedHeight.isFinite, placedHeight > 0 else { return nil }
        let root = joints[JointName.root.index] * scale
        for index in joints.indices { joints[index] = joints[index] * scale - root }
        self.init(
            bodyHeight: height ?? placedHeight, heightEstimation: height == nil ? .measured : .reference,
            positions: joints, rootPosition: root, camera: camera, toStored: toStored, size: size)
    }

    /// Returns the length of the path from the top of the head down the trunk and a leg to the sole, as the
    /// mean of both legs.
    private static func standingHeight(_ joints: [SIMD3<Double>]) -> Double {
        func distance(_ a: JointName, _ b: JointName) -> Double { (joints[a.index] - joints[b.index]).length }
        let trunk =
            distance(.topHead, .centerHead) + distance(.centerHead, .centerShoulder)
            + distance(.centerShoulder, .root)
        let left = distance(.leftHip, .leftKnee) + distance(.leftKnee, .leftAnkle)
        let right = distance(.rightHip, .rightKnee) + distance(.rightKnee, .rightAnkle)
        return (trunk + (left + right) / 2) / (1 - ankleHeight)
    }

    /// Height of the ankle above the sole, as a share of the height (Drillis and Contini, 1966).
    private static let ankleHeight = 0.039
}

extension BodyPlacement {
    /// Distance of the top of the head above the ears, relative to that of the eyes above the mouth: 13 cm
    /// and 7 cm on an adult's head.
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

/// An affine transform of space: a matrix of four columns, the last of which is the translation.
public struct Transform3D: Sendable, Equatable {
    /// The columns, in order; x, y, z, w.
    public var columns: (SIMD4<Double>, SIMD4<Double>, SIMD4<Double>, SIMD4<Double>)

    /// Creates a translation by `offset`.
    public init(translation offset: SIMD3<Double>) {
        columns = (
            SIMD4(1, 0, 0, 0), SIMD4(0, 1, 0, 0), SIMD4(0, 0, 1, 0), SIMD4(offset.x, offset.y, offset.z, 1)
        )
    }

    /// The place to which the origin is moved.
    public var translation: SIMD3<Double> { SIMD3(columns.3.x, columns.3.y, columns.3.z) }

    /// Whether all numbers are equal.
    public static func == (a: Transform3D, b: Transform3D) -> Bool {
        a.columns.0 == b.columns.0 && a.columns.1 == b.columns.1 && a.columns.2 == b.columns.2
            && a.columns.3 == b.columns.3
    }
}

extension HumanBodyPose3DObservation: Codable {
    /// Reads an observation that was encoded.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        bodyHeight = try values.decode(Double.self, forKey: .bodyHeight)
        heightEstimation = try values.decode(HeightEstimation.self, forKey: .heightEstimation)
        positions = try values.decode(JointName.allCases.count, of: SIMD3<Double>.self, forKey: .positions)
        rootPosition = try values.decode(SIMD3<Double>.self, forKey: .rootPosition)
        camera = try values.decode(Camera.self, forKey: .camera)
        toStored = try values.decode(FrameTransform.self, forKey: .toStored)
        size = try values.decode(Size.self, forKey: .size)
        leftHand = try values.decodeIfPresent(HumanHandPoseObservation.self, forKey: .leftHand)
        rightHand = try values.decodeIfPresent(HumanHandPoseObservation.self, forKey: .rightHand)
        uuid = try values.decode(ObservationUUID.self, forKey: .uuid)
    }
}

extension KeyedDecodingContainer {
    /// Decodes a list that has a fixed number of entries.
    func decode<Entry: Decodable>(_ count: Int, of _: Entry.Type, forKey key: Key) throws -> [Entry] {
        let entries = try decode([Entry].self, forKey: key)
        guard entries.count == count else {
            throw DecodingError.dataCorruptedError(
                forKey: key, in: self,
                debugDescription: "There are \(entries.count) entries instead of \(count).")
        }
        return entries
    }
}

/// A joint of a body in space.
public struct Joint3D: Sendable, Equatable {
    /// The joint's name.
    public let jointName: HumanBodyPose3DObservation.JointName
    /// The joint before this one on the way from the root; nil for the root.
    public let parentJoint: HumanBodyPose3DObservation.JointName?
    /// The transform from the root to the joint, in metres.
    @_disfavoredOverload
    public let position: Transform3D
    /// The transform from the parent to the joint, in metres; the identity for the root.
    @_disfavoredOverload
    public let localPosition: Transform3D

    /// Both transforms, for a module in which other properties of their names hide them.
    package var transforms: (fromRoot: Transform3D, fromParent: Transform3D) { (position, localPosition) }
}

extension HumanBodyPose3DObservation: PoseProviding {
    /// Returns the joint called `name`.
    public func joint(for name: JointName) -> Joint3D? {
        Joint3D(
            jointName: name, parentJoint: name.parent, position: position(name),
            localPosition: localPosition(name))
    }

    /// Returns the joint before another one on the way from the root; nil for the root.
    public func parentJointName(for name: JointName) -> JointName? { name.parent }
}
