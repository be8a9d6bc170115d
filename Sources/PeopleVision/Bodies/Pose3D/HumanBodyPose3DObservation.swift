public import Imaging

/// A body in space: 17 joints in metres.
///
/// Axes are those of the camera that sees the upright picture: x to the right, y up, z towards the camera; right-handed.
/// The origin is the root, the middle of the hips. Left and right are the person's own.
///
/// What is estimated: a single picture does not tell how large a person is, so every body is taken for one of
/// `bodyHeight`, and the camera is placed as far away as such a person would be. Joints are seen by the camera where
/// they are in the picture; how much nearer or farther they are than others is the landmark model's estimate, and so are
/// joints that are hidden or outside of the picture. Joints have no directions of their own: the rotations of all
/// transforms are none.
///
/// With a depth map of the picture, size and distances are measured: `heightEstimation` tells. Joints that are seen are
/// then as far away as their skin is, and as far below it as on an average body.
public struct HumanBodyPose3DObservation: Sendable {
    /// A joint, in the order of `positions`; raw values are the names in metadata.
    public enum JointName: String, CaseIterable, Sendable {
        /// The top of the head: estimated from eyes, ears and mouth.
        case topHead = "top-head"
        /// Between the ears.
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
    }

    /// Joints that belong together.
    public enum JointsGroupName: String, CaseIterable, Sendable {
        case head
        case torso
        case leftArm = "left-arm"
        case rightArm = "right-arm"
        case leftLeg = "left-leg"
        case rightLeg = "right-leg"
    }

    /// How the height was found.
    public enum HeightEstimation: String, Sendable {
        /// It was not: a person of 1.8 m was assumed.
        case reference
        /// By the depth map that came with the picture.
        case measured
    }

    /// Of the standing person, in metres, from the soles to the top of the head: that of `heightEstimation`.
    public let bodyHeight: Double
    /// How `bodyHeight` was found.
    public let heightEstimation: HeightEstimation
    /// One for each of `JointName.allCases`, in metres from the root.
    public let positions: [SIMD3<Double>]
    /// Where the root is, in metres from the camera; z is negative.
    public let rootPosition: SIMD3<Double>
    /// The camera that was assumed.
    let camera: Camera
    /// From the upright frame's unit square to the stored picture's, and the frame's size in pixels.
    let toStored: FrameTransform
    let size: Size

    /// The height that is assumed, in metres (as in Apple's Vision).
    static let referenceHeight = 1.8
}

extension HumanBodyPose3DObservation {
    /// From the root to a joint.
    public func position(_ joint: JointName) -> Transform3D {
        Transform3D(translation: positions[joint.index])
    }

    /// From a joint's parent to the joint; the root's is none.
    public func localPosition(_ joint: JointName) -> Transform3D {
        Transform3D(translation: positions[joint.index] - positions[(joint.parent ?? joint).index])
    }

    /// The joint that comes before `joint` on the way from the root; nil for the root.
    public func parentJoint(of joint: JointName) -> JointName? { joint.parent }

    /// From the root to the camera; the axes of both are the same.
    public var cameraOriginMatrix: Transform3D { Transform3D(translation: -rootPosition) }

    /// From the camera to a joint.
    public func cameraRelativePosition(_ joint: JointName) -> Transform3D {
        Transform3D(translation: rootPosition + positions[joint.index])
    }

    /// Where the camera sees a joint: in the picture's stored orientation, normalised; nil behind the camera.
    public func pointInImage(_ joint: JointName) -> Point? {
        guard let pixel = camera.pixel(rootPosition + positions[joint.index]) else { return nil }
        return toStored.map(Point(x: pixel.x / size.width, y: pixel.y / size.height))
    }

    /// The names of a group's joints.
    public func joints(in group: JointsGroupName) -> [JointName] { group.joints }
}

extension HumanBodyPose3DObservation.JointName {
    /// The place in `HumanBodyPose3DObservation.positions`.
    public var index: Int {
        switch self {
        case .topHead: 0
        case .centerHead: 1
        case .centerShoulder: 2
        case .leftShoulder: 3
        case .rightShoulder: 4
        case .leftElbow: 5
        case .rightElbow: 6
        case .leftWrist: 7
        case .rightWrist: 8
        case .spine: 9
        case .root: 10
        case .leftHip: 11
        case .rightHip: 12
        case .leftKnee: 13
        case .rightKnee: 14
        case .leftAnkle: 15
        case .rightAnkle: 16
        }
    }

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
