import Foundation
import Vision
import simd

/// The angle of an elbow in the image, in degrees.
func elbowAngle(of pose: HumanBodyPoseObservation, in size: CGSize) -> Double? {
    guard let shoulder = pose.joint(for: .leftShoulder), let elbow = pose.joint(for: .leftElbow),
        let wrist = pose.joint(for: .leftWrist),
        min(shoulder.confidence, elbow.confidence, wrist.confidence) > 0.3
    else { return nil }
    let points = [shoulder, elbow, wrist].map { $0.location.toImageCoordinates(size) }
    let a = atan2(points[0].y - points[1].y, points[0].x - points[1].x)
    let b = atan2(points[2].y - points[1].y, points[2].x - points[1].x)
    return Double(abs(a - b)) * 180 / .pi
}

/// Lists joints of each person, by group, with the hands.
func describe(_ url: URL) async throws {
    var request = DetectHumanBodyPoseRequest()
    request.detectsHands = true
    for pose in try await request.perform(on: url) {
        let all: [HumanBodyPoseObservation.JointName: Joint] = pose.allJoints()
        let arm = pose.allJoints(in: .leftArm)
        let names = pose.availableJointNames.filter { all[$0] != nil }
        print(
            names.count, arm.keys.map(\.rawValue).sorted(),
            pose.rightHand?.joint(for: .indexTip)?.location ?? .zero)
    }
}

/// Places a camera and a skeleton in a scene.
struct Skeleton {
    var camera = simd_float4x4()
    var joints: [HumanBodyPose3DObservation.JointName: simd_float3] = [:]
    var height = Measurement(value: 0, unit: UnitLength.meters)
    var isMeasured = false

    static func make(from url: URL) async throws -> Skeleton? {
        let observations = try await DetectHumanBodyPose3DRequest().perform(on: url)
        guard let body = observations.first else { return nil }
        var skeleton = Skeleton()
        skeleton.camera = body.cameraOriginMatrix
        skeleton.height = body.bodyHeight
        skeleton.isMeasured = body.heightEstimationTechnique == .measured
        for name in body.availableJointNames {
            guard let joint = body.joint(for: name) else { continue }
            let column = joint.position.columns.3
            skeleton.joints[name] = simd_float3(column.x, column.y, column.z)
        }
        let root: NormalizedPoint? = body.pointInImage(for: .root)
        let parent = body.parentJointName(for: .leftWrist)
        let bone = simd_length(body.joint(for: .leftWrist)?.localPosition.columns.3 ?? .zero)
        let away = body.cameraRelativePosition(for: .root).columns.3.z
        print(root?.cgPoint ?? .zero, parent ?? .root, bone, away, body.bodyHeight.converted(to: .feet))
        return skeleton
    }
}
