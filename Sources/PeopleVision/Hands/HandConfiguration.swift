/// Settings of a hand request.
public struct HandConfiguration: Sendable, Equatable {
    /// The revision to use; the newest by default.
    public var revision = DetectHumanHandPoseRequest.supportedRevisions.upperBound
    /// Hands to report at most; of more the largest are taken.
    public var maximumHandCount = 2
    /// Hands of less confidence are not reported, 0...1.
    public var minimumConfidence = 0.5
    /// Whether pictures are a stream: hands are followed from one to the next, keep their `id`, and
    /// their joints are smoothed.
    public var tracksHands = false
    /// How much the joints of a stream are steadied, 0...1; 0 is not at all.
    public var smoothing = 0.5
    /// Seconds of a stream from one search for hands to the next; nil searches the first picture only.
    public var searchInterval: Double? = 0.2
    /// OpenVINO's device: `CPU`, `GPU`, `NPU`, `AUTO`.
    public var device = "CPU"
    /// Threads for inference, 0 for as many as suit the models.
    public var threads = 0
    /// A landmark model to use instead of the built-in one, or a directory of models.
    public var modelPath: String?

    /// Up to two hands of a single picture.
    public init() {}
}

extension HandConfiguration {
    var setup: ModelSetup { ModelSetup(device: device, threads: threads, modelPath: modelPath) }
}
