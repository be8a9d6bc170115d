public import Imaging

/// A request for the people of an image, several at once.
///
/// People may be upright, lying or upside down; between quarter turns of the image some are missed.
///
/// The requests of this kind differ in their attributes.
public class BodyRequest: TrackingRequest<BodyRequest.Configuration, HumanBodyPoseObservation> {
    /// The attributes that every person of this request has, in addition to those of the configuration.
    public class var attributes: BodyAttributes { [] }

    /// Creates a request; for the people of single images unless `configuration` says otherwise.
    public required init(_ configuration: Configuration = Configuration()) {
        super.init(configuration, TrackingPipeline<BodyTracker>())
    }

    /// Creates a request that shares the person detector's results with others.
    init(_ configuration: Configuration, sharing detections: SharedDetections) {
        super.init(configuration, TrackingPipeline<BodyTracker>(sharing: detections))
    }

    override var completeConfiguration: Configuration {
        var complete = configuration
        complete.attributes.formUnion(Self.attributes)
        return complete
    }

    /// Finds the hands of the people where they are wanted; nil until then.
    private var hands: BodyHands?

    /// Finds the people of `frame`, with their hands where these are wanted.
    func findPeople(in frame: InputFrame) throws(VisionError) -> [HumanBodyPoseObservation] {
        lock.enter()
        defer { lock.leave() }
        let found = try find(in: frame)
        return try handFinder()?.addHands(to: found, in: frame, configuration) ?? found
    }

    private func handFinder() -> BodyHands? {
        if !configuration.detectsHands { hands = nil } else if hands == nil { hands = BodyHands() }
        return hands
    }

    override public func prepare() throws(VisionError) {
        lock.enter()
        defer { lock.leave() }
        try super.prepare()
        try handFinder()?.prepare(configuration)
    }

    override public func checkModels() throws(VisionError) {
        try super.checkModels()
        if configuration.detectsHands { try BodyHands().check(configuration) }
    }

    override public func reset() {
        lock.enter()
        defer { lock.leave() }
        super.reset()
        hands?.reset()
    }

    override public func unload() {
        lock.enter()
        defer { lock.leave() }
        super.unload()
        hands = nil
    }
}

/// Finds people and 19 joints of each, `HumanBodyPoseObservation.joints`.
///
/// `attributes` of the configuration add the body in space, `pose3D`. For the most prominent person alone set `maximumPeople` to 1.
public final class DetectHumanBodyPoseRequest: BodyRequest, VisionRequest {
    /// Finds the people of `frame`.
    ///
    /// With the frame's `depth`, `pose3D` is measured: its `bodyHeight` and places in metres. Places also
    /// depend on `verticalFieldOfView`, which should be the camera's own.
    public func perform(on frame: InputFrame) throws(VisionError) -> [HumanBodyPoseObservation] {
        try findPeople(in: frame)
    }
}

/// Finds people and 17 joints of each in space.
///
/// For joints in the image and in space at once, set `attributes` of a `DetectHumanBodyPoseRequest` to `.pose3D`.
public final class DetectHumanBodyPose3DRequest: BodyRequest, VisionRequest {
    /// The attributes of every person.
    override public class var attributes: BodyAttributes { .pose3D }

    /// Finds the people of `frame` whose place in space can be determined.
    ///
    /// With the frame's `depth`, bodies are measured.
    public func perform(on frame: InputFrame) throws(VisionError) -> [HumanBodyPose3DObservation] {
        try findPeople(in: frame).compactMap(\.pose3D)
    }
}

/// Attributes of a person besides box and joints.
public struct BodyAttributes: TrackedAttributes {
    /// One bit per attribute.
    public let rawValue: Int

    /// `HumanBodyPoseObservation.pose3D`.
    public static let pose3D = BodyAttributes(rawValue: 1)

    /// Creates the set of the attributes whose bits are set.
    public init(rawValue: Int) { self.rawValue = rawValue }
}

extension BodyRequest {
    /// Settings of a body request.
    public struct Configuration: TrackingConfiguration {
        /// Revision 1 only.
        public static let supportedRevisions = 1...1

        /// The revision to use; the newest by default.
        public var revision = supportedRevisions.upperBound
        /// The maximum number of people to report; the largest are kept.
        public var maximumPeople = 4
        /// The minimum confidence of reported people, 0...1.
        public var minimumConfidence = 0.5
        /// Whether boxes are those of the upper body: head, arms, and the trunk down to the hips.
        public var upperBodyOnly = true
        /// Whether the hands of the people are found too, `HumanBodyPoseObservation.leftHand` and `rightHand`.
        ///
        /// A second pair of models searches around the wrists.
        public var detectsHands = false
        /// Attributes of people in addition to those of the request.
        public var attributes: BodyAttributes = []
        /// The camera's angle of view from the upright image's upper to its lower edge, in radians.
        ///
        /// Nil stands for an unknown camera, which is assumed to have a normal lens: 40 degrees along the longer
        /// side. Distances in space depend on the angle: a camera of half the angle is about twice as far away.
        public var verticalFieldOfView: Double?
        /// Height of standing people, in metres, for images without a depth map; above 0.
        ///
        /// The default is that of Apple's Vision.
        public var bodyHeight = 1.8
        /// The origin of the images: single ones, a recording or a camera.
        public var mode = AnalysisMode.image
        /// The part of the image that is analysed, normalised to 0...1; the whole image by default.
        public var regionOfInterest = NormalizedRect.unit
        /// Temporal smoothing of a stream's joints, 0...1; 0 is off.
        public var smoothing = 0.5
        /// The time of the stream from one search for people to the next; nil searches the first frame only.
        public var searchInterval: Duration? = .milliseconds(500)
        /// OpenVINO's device: `CPU`, `GPU`, `NPU`, `AUTO`.
        public var device = "CPU"
        /// Threads for inference; 0 for as many as suit the models.
        public var threads = 0
        /// A landmark model to use instead of the built-in one, or a directory of models.
        public var modelPath: String?

        /// Creates settings for up to four people of a single image.
        public init() {}

        /// The maximum number of people, `maximumPeople`.
        public var maximumCount: Int { maximumPeople }
    }
}

/// Finds people, and a box for each: of the upper body unless `upperBodyOnly` is off.
public final class DetectHumanRectanglesRequest: BodyRequest, VisionRequest {
    /// Finds the people of `frame`.
    public func perform(on frame: InputFrame) throws(VisionError) -> [HumanObservation] {
        try find(in: frame).map { HumanObservation($0) }
    }
}

/// The box of a person of an image.
public struct HumanObservation: TrackedObservation, Hashable, Codable {
    /// The box in the image's stored orientation, normalised to 0...1; within the image.
    public let boundingBox: Rectangle
    /// Whether the box is that of the upper body: head, arms, and the trunk down to the hips.
    public let isUpperBodyOnly: Bool
    /// The model's certainty that this is a person, 0...1.
    public let confidence: Double
    /// A number that distinguishes the people of an image, and stays with a person when the request follows a
    /// stream.
    public let id: Int
    /// The identifier of this observation, which takes no part in comparisons.
    @_disfavoredOverload
    @Incomparable public private(set) var uuid = ObservationUUID()

    init(_ body: HumanBodyPoseObservation) {
        boundingBox = body.boundingBox
        isUpperBodyOnly = body.isUpperBodyOnly
        confidence = body.confidence
        id = body.id
    }
}

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
