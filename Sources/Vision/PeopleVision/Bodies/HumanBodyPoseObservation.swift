public import Imaging

/// A person of an image: a box, and the body's joints.
///
/// Places are in the image's stored orientation, normalised to 0...1. Left and right are the person's own.
public struct HumanBodyPoseObservation: TrackedObservation, Hashable {
    /// A joint, or another point of the body, in the order of `joints`; raw values are the names in metadata.
    public enum JointName: String, CaseIterable, Sendable {
        case nose
        case leftEye = "left-eye"
        case rightEye = "right-eye"
        case leftEar = "left-ear"
        case rightEar = "right-ear"
        /// The middle of the shoulders.
        case neck
        case leftShoulder = "left-shoulder"
        case rightShoulder = "right-shoulder"
        case leftElbow = "left-elbow"
        case rightElbow = "right-elbow"
        case leftWrist = "left-wrist"
        case rightWrist = "right-wrist"
        /// The middle of the hips.
        case root
        case leftHip = "left-hip"
        case rightHip = "right-hip"
        case leftKnee = "left-knee"
        case rightKnee = "right-knee"
        case leftAnkle = "left-ankle"
        case rightAnkle = "right-ankle"

        /// The index in `HumanBodyPoseObservation.joints`.
        public var index: Int { Self.indices[self] ?? 0 }

        private static let indices = Dictionary(uniqueKeysWithValues: zip(allCases, 0...))
    }

    /// Groups of joints; shoulders and hips are in two groups each.
    public enum JointsGroupName: String, CaseIterable, Sendable {
        case face
        case torso
        case leftArm = "left-arm"
        case rightArm = "right-arm"
        case leftLeg = "left-leg"
        case rightLeg = "right-leg"
    }

    /// The box around the visible part of the person, or around the upper body, as requested; within the
    /// image.
    public let boundingBox: Rectangle
    /// Whether the box is that of the upper body: head, arms, and the trunk down to the hips.
    public let isUpperBodyOnly: Bool
    /// The model's certainty that this is a person, 0...1.
    public let confidence: Double
    /// A number that distinguishes the people of an image, and stays with a person when the request follows
    /// people.
    public let id: Int
    /// The joints, one for each of `JointName.allCases`; their confidence is that the joint is in the image
    /// and not hidden.
    public let joints: [Joint]
    /// The body in space, if requested and if the camera could be placed.
    public internal(set) var pose3D: HumanBodyPose3DObservation?
    /// The left hand, if `detectsHands` is on and the hand is seen.
    public internal(set) var leftHand: HumanHandPoseObservation?
    /// The right hand, likewise.
    public internal(set) var rightHand: HumanHandPoseObservation?
    /// The identifier of this observation, which takes no part in comparisons.
    @_disfavoredOverload
    @Incomparable public private(set) var uuid = ObservationUUID()

    /// Returns the joint called `name`; nil where it is not seen: with a confidence of 0.
    public func joint(for name: JointName) -> Joint? {
        let joint = joint(name)
        return joint.confidence > 0 ? joint : nil
    }

    /// Returns the joint called `name`, seen or not.
    package func joint(_ name: JointName) -> Joint { joints[name.index] }
}

extension HumanBodyPoseObservation: PoseProviding {}

extension HumanBodyPoseObservation: Codable {
    /// Reads an observation that was encoded.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        boundingBox = try values.decode(Rectangle.self, forKey: .boundingBox)
        isUpperBodyOnly = try values.decode(Bool.self, forKey: .isUpperBodyOnly)
        confidence = try values.decode(Double.self, forKey: .confidence)
        id = try values.decode(Int.self, forKey: .id)
        joints = try values.decode(JointName.allCases.count, of: Joint.self, forKey: .joints)
        pose3D = try values.decodeIfPresent(HumanBodyPose3DObservation.self, forKey: .pose3D)
        leftHand = try values.decodeIfPresent(HumanHandPoseObservation.self, forKey: .leftHand)
        rightHand = try values.decodeIfPresent(HumanHandPoseObservation.self, forKey: .rightHand)
        uuid = try values.decode(ObservationUUID.self, forKey: .uuid)
    }
}

extension HumanBodyPoseObservation.JointsGroupName: JointsGroup {
    /// The group's joints.
    public var joints: [HumanBodyPoseObservation.JointName] {
        switch self {
        case .face: [.nose, .leftEye, .rightEye, .leftEar, .rightEar]
        case .torso: [.neck, .leftShoulder, .rightShoulder, .root, .leftHip, .rightHip]
        case .leftArm: [.leftShoulder, .leftElbow, .leftWrist]
        case .rightArm: [.rightShoulder, .rightElbow, .rightWrist]
        case .leftLeg: [.leftHip, .leftKnee, .leftAnkle]
        case .rightLeg: [.rightHip, .rightKnee, .rightAnkle]
        }
    }
}
