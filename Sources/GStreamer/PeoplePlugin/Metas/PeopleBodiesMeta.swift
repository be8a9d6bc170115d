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
        fields.set(body.joints, of: HumanBodyPoseObservation.JointName.allCases)
        guard let pose = body.pose3D else { return }
        fields.set(pose.positions, of: HumanBodyPose3DObservation.JointName.allCases)
        let camera = pose.cameraOriginMatrix.translation
        fields.set("camera-position", count: 3) { camera[$0] }
        fields.set("body-height", pose.bodyHeight)
        fields.set("height-estimation", pose.heightEstimation.rawValue)
    }
}

// MARK: - Drawing

extension PeopleBodiesMeta {
    /// Draws the people in the metadata of `frame`, whichever program attached it.
    static func draw(
        _ overlay: BodyOverlay, from frame: borrowing VideoFrame, on image: MutableImageView,
        where isWanted: (StructureReader) -> Bool
    ) {
        frame.read(kind)?.forEach("bodies") { body in
            guard isWanted(body), let box = body.box else { return }
            let joints = body.structure("joints")
            overlay.draw(box, on: image) { joints?.point($0.rawValue, 0) }
        }
    }
}
