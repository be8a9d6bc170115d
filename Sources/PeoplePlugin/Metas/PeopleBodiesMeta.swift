import GStreamerKit
import Imaging
import PeopleVision

/// The `GstPeopleBodies` metadata: the people of the frame that carries it, none included.
///
/// Field names and units are API; the documentation lists them.
struct PeopleBodiesMeta {
    static let kind = CustomMeta("GstPeopleBodies")
    /// Name of a person's structure in the list.
    static let body: StaticString = "body"
    /// Of regions of interest.
    static let region: StaticString = "person"

    let bodies: [HumanBodyPoseObservation]
    let revision: Int
    let orientation: ImageOrientation

    /// Attaches the people to `frame`, once as our metadata and once as regions for other plugins.
    func attach(to frame: borrowing VideoFrame, _ tracks: RegionTracks) -> Bool {
        // Another analyser's people, and their regions, give way.
        if frame.read(Self.kind) != nil { frame.removeRegions(Self.region) }
        guard let fields = frame.attach(Self.kind) else { return false }
        fields.set(analysisOf: frame, orientation, revision: revision)
        writeBodies(to: fields)
        for body in bodies {
            frame.attachRegion(
                Self.region, box: body.boundingBox, confidence: body.confidence, id: body.id, in: tracks)
        }
        return true
    }

    /// Writes the list `bodies`; the same in metadata and in messages.
    func writeBodies(to fields: StructureWriter) {
        fields.set("bodies", list: Self.body, count: bodies.count) { index, fields in
            let body = bodies[index]
            fields.set(id: body.id, box: body.boundingBox, confidence: body.confidence)
            fields.set("upper-body-only", body.isUpperBodyOnly)
            write(body.joints, to: fields)
            if let pose = body.pose3D { write(pose, to: fields) }
        }
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
