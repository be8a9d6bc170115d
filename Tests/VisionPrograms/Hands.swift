import Foundation
import Vision

/// A pinch of thumb and index finger.
struct Pinch: Hashable {
    let id: UUID
    let hand: HumanHandPoseObservation.Chirality?
    let place: CGPoint
    let distance: CGFloat
}

/// Finds pinching hands.
actor PinchFinder {
    private var request = DetectHumanHandPoseRequest()
    private let size: CGSize

    init(size: CGSize, hands: Int = 2) {
        self.size = size
        request.maximumHandCount = hands
    }

    func pinches(in data: Data) async throws -> [Pinch] {
        let hands = try await request.perform(on: data)
        return hands.compactMap { hand in
            guard let thumb = hand.joint(for: .thumbTip), let index = hand.joint(for: .indexTip),
                thumb.confidence > 0.3, index.confidence > 0.3
            else { return nil }
            let a = thumb.location.toImageCoordinates(size, origin: .upperLeft)
            let b = index.location.toImageCoordinates(size, origin: .upperLeft)
            let middle = CGPoint(x: (a.x + b.x) / 2, y: (a.y + b.y) / 2)
            return Pinch(
                id: hand.uuid, hand: hand.chirality, place: middle, distance: hypot(a.x - b.x, a.y - b.y))
        }
    }
}

/// Names the fingers that are stretched: whose tip is the joint farthest from the wrist.
func stretchedFingers(of hand: HumanHandPoseObservation) -> [HumanHandPoseObservation.JointsGroupName] {
    guard let wrist = hand.joint(for: .wrist) else { return [] }
    let groups: [HumanHandPoseObservation.JointsGroupName] = [
        .thumb, .indexFinger, .middleFinger, .ringFinger, .littleFinger,
    ]
    return groups.filter { group in
        let joints = hand.allJoints(in: group).values
        let far = joints.max { distance($0.location, wrist.location) < distance($1.location, wrist.location) }
        return far?.jointName.hasSuffix("Tip") ?? false
    }
}

func distance(_ a: NormalizedPoint, _ b: NormalizedPoint) -> CGFloat {
    hypot(a.cgPoint.x - b.cgPoint.x, a.cgPoint.y - b.cgPoint.y)
}
