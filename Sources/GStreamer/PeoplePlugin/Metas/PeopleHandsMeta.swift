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
    /// Whether the 3-D joints are written.
    let hasPose3D: Bool

    func write(_ hand: HumanHandPoseObservation, to fields: StructureWriter) {
        fields.set("chirality", hand.chirality.rawValue)
        fields.set("chirality-confidence", hand.chiralityConfidence)
        fields.set(hand.joints, of: HumanHandPoseObservation.JointName.allCases)
        if hasPose3D { fields.set(hand.positions, of: HumanHandPoseObservation.JointName.allCases) }
    }
}

// MARK: - Drawing

extension PeopleHandsMeta {
    /// Draws the hands in the metadata of `frame`, whichever program attached it.
    static func draw(
        _ overlay: HandOverlay, from frame: borrowing VideoFrame, on image: MutableImageView,
        where isWanted: (StructureReader) -> Bool
    ) {
        frame.read(kind)?.forEach("hands") { hand in
            guard isWanted(hand), let box = hand.box else { return }
            let joints = hand.structure("joints")
            let isLeft = hand.string("chirality") == HumanHandPoseObservation.Chirality.left.rawValue
            overlay.draw(box, isLeft ? .left : .right, on: image) { joints?.point($0.rawValue, 0)?.location }
        }
    }
}
