import GStreamerKit
import Imaging
import PeopleVision

/// The `GstPeopleHands` metadata: the hands of a frame.
struct PeopleHandsMeta: FindingsMeta {
    static let kind = CustomMeta("GstPeopleHands")
    static let list: (name: StaticString, item: StaticString) = ("hands", "hand")
    static let region: StaticString = "hand"

    let findings: [HumanHandPoseObservation]
    let revision: Int
    let orientation: ImageOrientation
    /// Whether the joints in space are written.
    let hasPose3D: Bool

    func write(_ hand: HumanHandPoseObservation, to fields: StructureWriter) {
        fields.set("chirality", hand.chirality.rawValue)
        fields.set("chirality-confidence", hand.chiralityConfidence)
        write(hand.joints, to: fields)
        if hasPose3D { write(hand.positions, to: fields) }
    }

    /// One array per joint: x, y and confidence.
    private func write(_ joints: [HumanHandPoseObservation.Joint], to fields: StructureWriter) {
        fields.set("joints", structure: "joints") { fields in
            for (name, joint) in zip(HumanHandPoseObservation.JointName.allCases, joints) {
                fields.set(named: name.rawValue, count: 3) {
                    $0 == 0 ? joint.location.x : $0 == 1 ? joint.location.y : joint.confidence
                }
            }
        }
    }

    /// One array per joint: x, y and z from the middle of the hand.
    private func write(_ positions: [SIMD3<Double>], to fields: StructureWriter) {
        fields.set("joints-3d", structure: "joints-3d") { fields in
            for (name, position) in zip(HumanHandPoseObservation.JointName.allCases, positions) {
                fields.set(named: name.rawValue, count: 3) { position[$0] }
            }
        }
    }
}
