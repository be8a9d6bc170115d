public import Imaging

/// A request for the people of an image, several at once.
///
/// They may be upright, lying or upside down; between quarter turns of the picture some are missed.
///
/// The requests of this kind differ in what they tell of each person. For single pictures they are used as they
/// are; for a stream set `tracksPeople`, keep one object per stream, and set `frameDuration` where frames do not
/// come 30 times a second.
public protocol BodyRequest: VisionRequest where Configuration == BodyConfiguration {
    /// What every person of this request comes with, whatever the configuration adds.
    static var attributes: BodyAttributes { get }
    /// The models and the people that are followed.
    var pipeline: BodyPipeline { get }
}

/// What a person can come with, besides box and joints.
public struct BodyAttributes: OptionSet, Sendable {
    /// One bit per attribute.
    public let rawValue: Int

    /// `HumanBodyPoseObservation.pose3D`.
    public static let pose3D = BodyAttributes(rawValue: 1)

    /// The attributes whose bits are set.
    public init(rawValue: Int) { self.rawValue = rawValue }
}

/// Settings of a body request.
public struct BodyConfiguration: Sendable, Equatable {
    /// The revision to use; the newest by default.
    public var revision = DetectHumanBodyPoseRequest.supportedRevisions.upperBound
    /// People to report at most; of more the largest are taken.
    public var maximumPeople = 4
    /// People of less confidence are not reported, 0...1.
    public var minimumConfidence = 0.5
    /// Whether boxes are those of the upper body: head, arms, and the trunk down to the hips.
    public var upperBodyOnly = true
    /// What people come with in addition to what the request is for.
    public var attributes: BodyAttributes = []
    /// The camera's angle of view from the upright picture's upper to its lower edge, in radians; nil for
    /// an unknown camera, which is taken for one with a normal lens: 40 degrees along the longer side.
    ///
    /// Distances in space depend on it: a camera of half the angle is about twice as far away.
    public var verticalFieldOfView: Double?
    /// Whether pictures are a stream: people are followed from one to the next, keep their `id`, and
    /// their joints are smoothed.
    public var tracksPeople = false
    /// How much the joints of a stream are steadied, 0...1; 0 is not at all.
    public var smoothing = 0.5
    /// Seconds of a stream from one search for people to the next; nil searches the first picture only.
    public var searchInterval: Double? = 0.5
    /// OpenVINO's device: `CPU`, `GPU`, `NPU`, `AUTO`.
    public var device = "CPU"
    /// Threads for inference, 0 for as many as suit the models.
    public var threads = 0
    /// A landmark model to use instead of the built-in one, or a directory of models.
    public var modelPath: String?

    /// Up to four people of a single picture.
    public init() {}
}

extension BodyRequest {
    /// Seconds from one picture of a stream to the next; 1/30 unless set.
    public var frameDuration: Double {
        get { pipeline.frameDuration }
        set { pipeline.frameDuration = newValue }
    }

    /// Whether the first picture of a stream is searched over the pictures that follow, as after a loss, instead of at once.
    ///
    /// For live streams: a picture that takes long makes the next ones late. It takes effect where there is a search interval.
    public var spreadsFirstSearch: Bool {
        get { pipeline.spreadsFirstSearch }
        set { pipeline.spreadsFirstSearch = newValue }
    }

    func findBodies(
        in image: ImageView, _ orientation: ImageOrientation, depth: DepthView? = nil
    ) throws(VisionError) -> [HumanBodyPoseObservation] {
        try Self.check(revision: configuration.revision)
        return try pipeline.perform(on: image, orientation, depth, configuration, Self.attributes)
    }

    /// Loads the models, so that the first picture does not wait for them.
    public func prepare() throws(VisionError) {
        try Self.check(revision: configuration.revision)
        try pipeline.prepare(configuration)
    }

    /// Finds the models' files without loading them.
    public func checkModels() throws(VisionError) { try BodyModels.check(configuration.setup) }

    /// Forgets the people who are being followed; those of the next picture get other ids.
    public func reset() { pipeline.reset() }

    /// Lets go of the loaded models, and of the people.
    public func unload() { pipeline.unload() }
}

extension BodyRequest where Observation == [HumanBodyPoseObservation] {
    /// Finds the people of `image`.
    public func perform(
        on image: ImageView, orientation: ImageOrientation = .up
    ) throws(VisionError) -> [HumanBodyPoseObservation] {
        try findBodies(in: image, orientation)
    }

    /// Finds the people of `image`, of which a depth camera tells how far away they are.
    ///
    /// - Parameter depth: covers the image as it is stored. With it `pose3D` is measured: its `bodyHeight` and places in
    ///   metres. Places follow from `verticalFieldOfView` too, which should be the camera's own.
    public func perform(
        on image: ImageView, depth: DepthView?, orientation: ImageOrientation = .up
    ) throws(VisionError) -> [HumanBodyPoseObservation] {
        try findBodies(in: image, orientation, depth: depth)
    }
}
