import Imaging

/// One hand, followed from frame to frame.
struct HandTrack: StreamTrack {
    let id: Int
    /// The hand as it was measured in the last frame.
    private(set) var hand: HandLandmarks
    /// The confidence that this is a hand, averaged over time.
    private var presence: ConfidenceMean
    /// The confidence that this is a right hand, averaged over time, because the model errs in single frames.
    private var rightness: ConfidenceMean
    private var smoother = LandmarkSmoother(
        count: HandLandmarks.pointCount, worldSize: HandLandmarks.length)
    /// Smoothed landmarks of the last observation; kept to reuse memory.
    private var shown = HandLandmarks()
    /// The joints of the last observation; kept to reuse memory.
    private var joints: [Joint] = []

    init(id: Int, _ hand: HandLandmarks) {
        self.id = id
        self.hand = hand
        presence = ConfidenceMean(hand.presence)
        rightness = ConfidenceMean(hand.rightness)
        joints.reserveCapacity(HandLandmarks.pointCount)
    }

    /// The confidence that this is a hand, 0...1.
    var confidence: Double { presence.value }

    var box: Rectangle { hand.box }

    var angle: Double { 0 }

    /// The area of the hand's box; the smallest hands end first.
    var prominence: Double { box.area }

    /// Exchanges the hand for the one of the next frame.
    mutating func follow(_ next: inout HandLandmarks) {
        presence.add(next.presence)
        rightness.add(next.rightness)
        swap(&hand, &next)
    }

    /// Returns the observation of the hand.
    mutating func observation(
        in frame: UprightFrame, _ context: TrackingContext<DetectHumanHandPoseRequest.Configuration>
    ) -> HumanHandPoseObservation {
        shown.copy(hand)
        if let interval = context.interval {
            shown.smooth(with: &smoother, interval: interval, strength: context.configuration.smoothing)
        }
        let (confidence, rightness) = (presence.value, rightness.value)
        joints.removeAll(keepingCapacity: true)
        for index in 0..<HandLandmarks.pointCount {
            let point = shown.point(index)
            joints.append(
                Joint(
                    location: frame.stored(point.x, point.y),
                    confidence: frame.contains(point) ? confidence : 0))
        }
        return HumanHandPoseObservation(
            boundingBox: frame.stored(shown.box), confidence: confidence, id: id,
            chirality: rightness >= 0.5 ? .right : .left, chiralityConfidence: max(rightness, 1 - rightness),
            joints: joints, positions: shown.world)
    }
}
