public import Imaging

/// Finds things that stand out of an image: people, animals, vehicles, cups.
///
/// The heat is the coverage that `GenerateForegroundInstanceMaskRequest` finds, at 68x68 places, and its
/// subjects are the salient objects.
public final class GenerateObjectnessBasedSaliencyImageRequest: VisionRequest {
    /// The result of the request.
    public typealias Observation = SaliencyImageObservation

    /// The settings of the map, and of the computation.
    public struct Configuration: InferenceConfiguration {
        /// The revision to use; the newest by default.
        public var revision = GenerateObjectnessBasedSaliencyImageRequest.supportedRevisions.upperBound
        /// Maximum number of salient objects to report, 1...12; the largest are reported.
        public var maximumObjects = 3
        /// The origin of the images: single ones, a recording or a camera.
        public var mode = AnalysisMode.image
        /// The part of the image that is analysed, normalised to 0...1; the whole image by default.
        public var regionOfInterest = NormalizedRect.unit
        /// OpenVINO's device: `CPU`, `GPU`, `NPU`, `AUTO`.
        public var device = "CPU"
        /// Threads for inference; 0 for as many as suit the model.
        public var threads = 0
        /// A directory to search for models first.
        public var modelPath: String?

        /// Creates settings for up to three objects.
        public init() {}
    }

    /// Revision 1 only.
    public static let supportedRevisions = 1...1
    /// Minimum heat of subjects, 0...1; a map that is fainter everywhere is empty.
    private static let faintest: Float = 0.25

    /// The settings.
    public var configuration: Configuration {
        get { settings.value }
        set { settings.value = newValue }
    }

    private let settings: Settings<Configuration>
    private let lock = RequestLock()
    private let subjects = GenerateForegroundInstanceMaskRequest()
    private let heat = SaliencyMap()

    /// Creates a request; for up to three objects unless `configuration` says otherwise.
    public init(_ configuration: Configuration = Configuration()) {
        settings = Settings(configuration)
    }

    /// Forgets the frames before: the next one starts a new stream.
    public func reset() {
        lock.enter()
        defer { lock.leave() }
        subjects.reset()
    }

    /// Releases the loaded models.
    public func unload() {
        lock.enter()
        defer { lock.leave() }
        subjects.unload()
    }

    /// Finds the things that stand out of `image`.
    public func perform(on frame: InputFrame) throws(VisionError) -> SaliencyImageObservation {
        lock.enter()
        defer { lock.leave() }
        try Self.check(revision: configuration.revision)
        subjects.configuration = configuration.subjects
        let frame = try frame.of(configuration)
        if frame.isStill { subjects.reset() }
        let found = try subjects.find(in: frame)
        heat.clear()
        if let coarse = subjects.coarseMask { heat.raise(to: coarse, weight: 1) }
        heat.normalize(faintest: Self.faintest)
        let objects = found.instances.sorted { $0.boundingBox.area > $1.boundingBox.area }
        return SaliencyImageObservation(
            heatMap: try heat.mask(of: frame),
            salientObjects: objects.map {
                SalientObject(boundingBox: $0.boundingBox, confidence: $0.confidence)
            },
            revision: configuration.revision)
    }
}

extension GenerateObjectnessBasedSaliencyImageRequest.Configuration {
    fileprivate var subjects: GenerateForegroundInstanceMaskRequest.Configuration {
        var subjects = coarseSubjects
        (subjects.maximumInstances, subjects.overflow) = (maximumObjects, .background)
        return subjects
    }
}
