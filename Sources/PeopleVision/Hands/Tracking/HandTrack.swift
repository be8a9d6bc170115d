import Imaging

/// One hand, from picture to picture.
struct HandTrack {
    let id: Int
    /// The hand in the last picture, as it was measured.
    private(set) var hand: HandLandmarks
    /// The certainty that this is a hand, 0...1: a mean over time, because single pictures leave doubts.
    private(set) var confidence: Double
    /// The certainty that it is a right hand, 0...1: likewise, since a hand stays what it is.
    private var rightness: Double
    private var smoother = LandmarkSmoother(
        count: HandLandmarks.pointCount, worldSize: HandLandmarks.length)
    /// The hand as it is told; kept between pictures for its memory.
    private var shown = HandLandmarks()
    /// Kept likewise.
    private var joints: [HumanHandPoseObservation.Joint] = []

    init(id: Int, _ hand: HandLandmarks) {
        self.id = id
        self.hand = hand
        confidence = hand.presence
        rightness = hand.rightness
        joints.reserveCapacity(HandLandmarks.pointCount)
    }

    /// Share of the past in both certainties.
    private static let inertia = 0.8

    /// Exchanges the hand for the one of the next picture.
    mutating func follow(_ next: inout HandLandmarks) {
        confidence = Self.inertia * confidence + (1 - Self.inertia) * next.presence
        rightness = Self.inertia * rightness + (1 - Self.inertia) * next.rightness
        swap(&hand, &next)
    }

    /// What is told of the hand.
    ///
    /// - Parameter smoothing: seconds since the last picture, and how much points are steadied, 0...1; nil for a
    ///   picture by itself.
    mutating func observation(
        in frame: UprightFrame, _ smoothing: (interval: Double, strength: Double)?
    ) -> HumanHandPoseObservation {
        shown.copy(hand)
        if let smoothing {
            shown.smooth(with: &smoother, interval: smoothing.interval, strength: smoothing.strength)
        }
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
