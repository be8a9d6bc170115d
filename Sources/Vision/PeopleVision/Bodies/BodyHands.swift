import Imaging

/// Finds the hands of bodies: hands whose wrist is near the wrist of a body.
final class BodyHands {
    private let request = DetectHumanHandPoseRequest()
    private var assignment = OptimalAssignment()

    /// A wrist of a body, to which a hand may belong.
    private struct Wrist {
        let body: Int
        let isLeft: Bool
        let place: Point
    }

    /// Loads the models.
    func prepare(_ bodies: BodyRequest.Configuration) throws(VisionError) {
        request.configuration = Self.configuration(bodies)
        try request.prepare()
    }

    /// Finds the models' files without loading them.
    func check(_ bodies: BodyRequest.Configuration) throws(VisionError) {
        request.configuration = Self.configuration(bodies)
        try request.checkModels()
    }

    /// Forgets the hands of the frames before.
    func reset() { request.reset() }

    /// Returns bodies with their hands.
    ///
    /// - Parameters:
    ///   - bodies: the bodies of `frame`.
    ///   - configuration: the settings of the bodies.
    func addHands(
        to bodies: [HumanBodyPoseObservation], in frame: InputFrame,
        _ configuration: BodyRequest.Configuration
    ) throws(VisionError) -> [HumanBodyPoseObservation] {
        guard !bodies.isEmpty else { return [] }
        request.configuration = Self.configuration(configuration)
        request.places = PartPlaces(of: bodies, and: []).hands
        let hands = try request.perform(on: frame)
        let wrists = bodies.enumerated().flatMap { Self.wrists(of: $1, $0) }
        let evidence = PersonEvidence(
            labels: nil, aspectRatio: frame.wholeSize.width / max(1, frame.wholeSize.height))
        assignment.assign(rows: hands.count, columns: wrists.count) { hand, wrist in
            evidence.nearness(hands[hand].joint(.wrist), of: hands[hand].boundingBox, to: wrists[wrist].place)
        }
        var found = bodies
        for (hand, wrist) in zip(hands, assignment.columns) {
            guard let wrist else { continue }
            found[wrists[wrist].body].take(hand, isLeft: wrists[wrist].isLeft)
        }
        return found
    }

    private static func wrists(of body: HumanBodyPoseObservation, _ index: Int) -> [Wrist] {
        [(HumanBodyPoseObservation.JointName.leftWrist, true), (.rightWrist, false)].map {
            Wrist(body: index, isLeft: $1, place: body.joint($0).location)
        }
    }

    /// Returns the settings of the search for the hands of bodies.
    private static func configuration(
        _ bodies: BodyRequest.Configuration
    ) -> DetectHumanHandPoseRequest.Configuration {
        typealias Hands = DetectHumanHandPoseRequest.Configuration
        var hands = Hands()
        let people = min(max(bodies.maximumPeople, 1), Hands.possibleCounts.upperBound)
        hands.maximumHandCount = min(2 * people, Hands.possibleCounts.upperBound)
        (hands.mode, hands.regionOfInterest) = (bodies.mode, bodies.regionOfInterest)
        (hands.device, hands.threads, hands.smoothing) = (bodies.device, bodies.threads, bodies.smoothing)
        // A model of the user's is one of bodies; a directory has models of hands, too.
        hands.modelPath = bodies.setup.withoutUserModel.modelPath
        return hands
    }
}

extension HumanBodyPoseObservation {
    /// Takes a hand, here and in space.
    fileprivate mutating func take(_ hand: HumanHandPoseObservation, isLeft: Bool) {
        if isLeft {
            leftHand = hand
            pose3D?.leftHand = hand
        } else {
            rightHand = hand
            pose3D?.rightHand = hand
        }
    }
}
