import GStreamerKit
import Imaging
import PeopleVision

/// The `GstPeopleBodies` metadata: the people of a frame.
struct PeopleBodiesMeta: FindingsMeta {
    static let kind = CustomMeta("GstPeopleBodies")
    static let list: (name: StaticString, item: StaticString) = ("bodies", "body")
    static let region: StaticString = "person"

    let findings: [HumanBodyPoseObservation]
    let revision: Int
    let orientation: ImageOrientation

    func write(_ body: HumanBodyPoseObservation, to fields: StructureWriter) {
        fields.set("upper-body-only", body.isUpperBodyOnly)
        write(body.joints, to: fields)
        if let pose = body.pose3D { write(pose, to: fields) }
    }

    /// One array per joint: x, y and confidence.
    private func write(_ joints: [HumanBodyPoseObservation.Joint], to fields: StructureWriter) {
        fields.set("joints", structure: "joints") { fields in
            for (name, joint) in zip(HumanBodyPoseObservation.JointName.allCases, joints) {
                fields.set(named: name.rawValue, count: 3) {
                    $0 == 0 ? joint.location.x : $0 == 1 ? joint.location.y : joint.confidence
                }
            }
        }
    }

    /// One array per joint: x, y and z from the root; and where the camera is.
    private func write(_ pose: HumanBodyPose3DObservation, to fields: StructureWriter) {
        fields.set("joints-3d", structure: "joints-3d") { fields in
            for (name, position) in zip(HumanBodyPose3DObservation.JointName.allCases, pose.positions) {
                fields.set(named: name.rawValue, count: 3) { position[$0] }
            }
        }
        let camera = pose.cameraOriginMatrix.translation
        fields.set("camera-position", count: 3) { camera[$0] }
        fields.set("body-height", pose.bodyHeight)
        fields.set("height-estimation", pose.heightEstimation.rawValue)
    }
}
