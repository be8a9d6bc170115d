public import Imaging

/// Finds hands and 21 joints of each, several at once and at any turn.
///
/// For single pictures it is used as it is; for a stream set `tracksHands`, keep one object per stream, and set
/// `frameDuration` where frames do not come 30 times a second.
public final class DetectHumanHandPoseRequest: VisionRequest {
    /// What it finds.
    public typealias Observation = [HumanHandPoseObservation]

    /// Revision 1 only.
    public static let supportedRevisions = 1...1

    /// The settings.
    public var configuration: HandConfiguration
    /// Seconds from one picture of a stream to the next.
    public var frameDuration = 1.0 / 30
    /// Whether the first picture of a stream is searched over the pictures that follow, as after a loss, instead of at once.
    ///
    /// For live streams: a picture that takes long makes the next ones late. It takes effect where there is a search interval.
    public var spreadsFirstSearch = false

    private var loaded = LoadedModels<HandModels>()
    private let replica = ModelReplica()
    private let tracker = HandTracker()
    private var lastShape: FrameShape?
    private var observations: [HumanHandPoseObservation] = []

    /// A request for the hands of single pictures unless `configuration` says otherwise.
    public init(_ configuration: HandConfiguration = HandConfiguration()) {
        self.configuration = configuration
    }

    /// Finds the hands of `image`.
    ///
    /// Left and right are told right only where `image` is not mirrored, or `orientation` says so.
    public func perform(
        on image: ImageView, orientation: ImageOrientation = .up
    ) throws(VisionError) -> [HumanHandPoseObservation] {
        try Self.check(revision: configuration.revision)
        // No observation shares the tracks' memory then, unless the caller kept one: it is written in place.
        observations.removeAll(keepingCapacity: true)
        let models = try loaded.models(configuration.setup.using(replica), load: HandModels.init)
        let frame = UprightFrame(image, orientation: orientation)
        let shape = FrameShape(image, orientation)
        if shape != lastShape { tracker.reset() }
        lastShape = shape
        if configuration.tracksHands {
            try tracker.follow(
                in: frame, models, most: configuration.maximumHandCount,
                StreamTiming(
                    seconds: frameDuration, searchInterval: configuration.searchInterval,
                    spreadsFirstSearch: spreadsFirstSearch))
        } else {
            try tracker.find(in: frame, models, most: configuration.maximumHandCount)
        }
        let smoothing =
            configuration.tracksHands ? (interval: frameDuration, strength: configuration.smoothing) : nil
        for index in tracker.tracks.indices
        where tracker.tracks[index].confidence >= configuration.minimumConfidence {
            observations.append(tracker.tracks[index].observation(in: frame, smoothing))
        }
        return observations
    }

    /// Loads the models, so that the first picture does not wait for them.
    public func prepare() throws(VisionError) {
        try Self.check(revision: configuration.revision)
        _ = try loaded.models(configuration.setup.using(replica), load: HandModels.init)
    }

    /// Finds the models' files without loading them.
    public func checkModels() throws(VisionError) { try HandModels.check(configuration.setup) }

    /// Forgets the hands that are being followed; those of the next picture get other ids.
    public func reset() {
        tracker.reset()
        observations.removeAll(keepingCapacity: true)
    }

    /// Lets go of the loaded models, and of the hands.
    public func unload() {
        reset()
        loaded.unload()
    }
}
