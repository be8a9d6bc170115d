import GStreamerKit
import Imaging
import PeopleVision

/// The `GstPeopleHands` metadata: the hands of the frame that carries it, none included.
///
/// Field names and units are API; the documentation lists them.
struct PeopleHandsMeta {
    static let kind = CustomMeta("GstPeopleHands")
    /// Name of a hand's structure in the list, and of regions of interest.
    static let hand: StaticString = "hand"

    let hands: [HumanHandPoseObservation]
    let revision: Int
    let orientation: ImageOrientation
    /// Whether the joints in space are written.
    let hasPose3D: Bool

    /// Attaches the hands to `frame`, once as our metadata and once as regions for other plugins.
    func attach(to frame: borrowing VideoFrame, _ tracks: RegionTracks) -> Bool {
        // Another analyser's hands, and their regions, give way.
        if frame.read(Self.kind) != nil { frame.removeRegions(Self.hand) }
        guard let fields = frame.attach(Self.kind) else { return false }
        fields.set(analysisOf: frame, orientation, revision: revision)
        writeHands(to: fields)
        for hand in hands {
            frame.attachRegion(
                Self.hand, box: hand.boundingBox, confidence: hand.confidence, id: hand.id, in: tracks)
        }
        return true
    }

    /// Writes the list `hands`; the same in metadata and in messages.
    func writeHands(to fields: StructureWriter) {
        fields.set("hands", list: Self.hand, count: hands.count) { index, fields in
            let hand = hands[index]
            fields.set(id: hand.id, box: hand.boundingBox, confidence: hand.confidence)
            fields.set("chirality", hand.chirality.rawValue)
            fields.set("chirality-confidence", hand.chiralityConfidence)
            write(hand.joints, to: fields)
            if hasPose3D { write(hand.positions, to: fields) }
        }
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
