import Imaging

/// One hand, from picture to picture.
struct HandTrack {
    let id: Int
    /// The hand in the last picture, as it was measured.
    private(set) var hand: HandLandmarks
    /// The confidence that this is a hand, averaged over time.
    private var presence: ConfidenceMean
    /// The same for a right hand; the model errs in single pictures.
    private var rightness: ConfidenceMean
    private var smoother = LandmarkSmoother(
        count: HandLandmarks.pointCount, worldSize: HandLandmarks.length)
    /// Smoothed landmarks of the last observation; kept to reuse memory.
    private var shown = HandLandmarks()
    /// Likewise.
    private var joints: [HumanHandPoseObservation.Joint] = []

    init(id: Int, _ hand: HandLandmarks) {
        self.id = id
        self.hand = hand
        presence = ConfidenceMean(hand.presence)
        rightness = ConfidenceMean(hand.rightness)
        joints.reserveCapacity(HandLandmarks.pointCount)
    }

    /// The confidence that this is a hand, 0...1.
    var confidence: Double { presence.value }

    /// Exchanges the hand for the one of the next picture.
    mutating func follow(_ next: inout HandLandmarks) {
        presence.add(next.presence)
        rightness.add(next.rightness)
        swap(&hand, &next)
    }

    /// What is reported of the hand.
    ///
    /// - Parameter smoothing: seconds since the last picture, and how much points are smoothed, 0...1; nil for a single
    ///   picture.
    mutating func observation(
        in frame: UprightFrame, _ smoothing: (interval: Double, strength: Double)?
    ) -> HumanHandPoseObservation {
        shown.copy(hand)
        if let smoothing {
            shown.smooth(with: &smoother, interval: smoothing.interval, strength: smoothing.strength)
        }
        let (confidence, rightness) = (presence.value, rightness.value)
        joints.removeAll(keepingCapacity: true)
        for index in 0..<HandLandmarks.pointCount {
            let point = shown.point(index)
            joints.append(
                HumanHandPoseObservation.Joint(
                    location: frame.stored(point.x, point.y),
                    confidence: frame.contains(point) ? confidence : 0))
        }
        return HumanHandPoseObservation(
            boundingBox: frame.stored(shown.box), confidence: confidence, id: id,
            chirality: rightness >= 0.5 ? .right : .left, chiralityConfidence: max(rightness, 1 - rightness),
            joints: joints, positions: shown.world)
    }
}
