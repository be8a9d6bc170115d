public import Imaging
public import Inference

/// Finds the people of an image as one soft mask.
///
/// Works best for up to four people, each at least half as high as the image, who stand out from the
/// background. Statues, pictures of people and people far away are ambiguous. One request per stream: masks
/// are smoothed over time where the image stands still.
public final class GeneratePersonSegmentationRequest: MaskRequest {
    /// The result of the request.
    public typealias Observation = PersonSegmentationObservation

    /// The trade-off between detail and speed.
    public enum QualityLevel: String, CaseIterable, Sendable {
        /// Streaming: MediaPipe's selfie models; masks of 256x144 or 256x256.
        case fast
        /// Video, frame by frame: MODNet on the people; masks of the frame's aspect, up to 768 a side.
        case balanced
        /// Photography: the median of five passes of MODNet; masks of the frame's size, up to 2048 a side.
        case accurate
    }

    /// The settings of the masks, and of the computation.
    public struct Configuration: InferenceConfiguration {
        /// The revision to use; the newest by default.
        public var revision = GeneratePersonSegmentationRequest.supportedRevisions.upperBound
        /// The trade-off between detail and speed.
        public var qualityLevel = QualityLevel.accurate
        /// Sample format of the mask.
        public var outputPixelFormat = MaskFormat.gray8
        /// OpenVINO's device: `CPU`, `GPU`, `NPU`, `AUTO`.
        public var device = "CPU"
        /// Threads for inference; 0 for as many as suit the model.
        public var threads = 0
        /// Temporal smoothing of a stream's masks where the image stands still: 0 is off, 1 the maximum.
        public var smoothing: Float = 0.95
        /// Adjustments of the finished mask; none by default.
        public var controls = MaskControls()
        /// A prepared model's name or a model file, to use instead of one of the quality level's own; or a
        /// directory of models.
        ///
        /// The `kind` in the manifest beside the file says which model it replaces: `segmentation`,
        /// `matting`, `recurrent matting`.
        public var modelPath: String?

        /// The arithmetic of MODNet; masks of 8-bit integers are as good, but not equal.
        public var precision = ModelPrecision.automatic

        /// The origin of the images: single ones, a recording or a camera.
        public var mode = AnalysisMode.image
        /// The part of the image that is analysed, normalised to 0...1; the whole image by default.
        public var regionOfInterest = NormalizedRect.unit

        /// Whether each frame of a camera waits for its own mask.
        package var waitsForMasks = false

        /// Whether frames wait for background masks as long as it takes, so that results do not depend on
        /// timing; for tests.
        package var waitsForBackground = false

        /// Whether no frame waits for a background mask, however soon that would be ready: for hosts in whose
        /// own drawing thread frames are processed.
        package var passesAtOnce = false

        /// Whether a stream goes on with the former level while the models of another one are loaded.
        package var loadsBesideStream = false

        /// Creates settings for accurate 8-bit masks.
        public init() {}
    }

    /// Revision 1 only.
    public static let supportedRevisions = 1...1

    /// The settings.
    public var configuration: Configuration {
        get { settings.value }
        set { settings.value = newValue }
    }

    private let settings: Settings<Configuration>
    private let lock = RequestLock()
    private let memory: SharedMaskMemory

    private let pipeline: SegmentationPipeline

    /// Creates a request; for accurate 8-bit masks unless `configuration` says otherwise.
    public convenience init(_ configuration: Configuration = Configuration()) {
        self.init(configuration, SegmentationPipeline())
    }

    /// Creates a request that shares its segmenter with others.
    package init(_ configuration: Configuration, _ pipeline: SegmentationPipeline) {
        memory = SharedMaskMemory(lock)
        settings = Settings(configuration)
        self.pipeline = pipeline
    }

    /// Returns size and format of the mask of a `width` x `height` image, in its stored orientation.
    public func maskLayout(width: Int, height: Int, orientation: ImageOrientation = .up) -> MaskLayout {
        pipeline.layout(width, height, orientation, configuration)
    }

    /// Loads the models for images of this size, so that the first one does not wait for them.
    public func prepare(width: Int, height: Int, orientation: ImageOrientation = .up) throws(VisionError) {
        lock.enter()
        defer { lock.leave() }
        let size = configuration.analysedSize(width, height)
        try pipeline.prepare(size.width, size.height, orientation, configuration)
    }

    /// Finds the models' files without loading them.
    public func checkModels() throws(VisionError) { try pipeline.checkModels(configuration) }

    /// Releases the loaded models, and the working memory of masks.
    public func unload() {
        lock.enter()
        defer { lock.leave() }
        memory.endTurn()
        pipeline.unload()
    }

    /// Forgets the frames before, as the next one does not follow them.
    public func reset() {
        lock.enter()
        defer { lock.leave() }
        memory.endTurn()
        pipeline.reset()
    }

    /// Segments `frame` into a new mask.
    public func perform(on frame: InputFrame) throws(VisionError) -> PersonSegmentationObservation {
        lock.enter()
        defer { lock.leave() }
        let found = try find(in: frame)
        let mask = try Mask.make(found.layout, found.writeMask)
        return PersonSegmentationObservation(
            mask: mask, time: found.time, revision: found.revision, qualityLevel: found.qualityLevel)
    }

    /// Segments `frame` into memory of the caller; allocates nothing once the model is loaded.
    ///
    /// - Parameters:
    ///   - frame: the frame.
    ///   - mask: memory of the layout that `maskLayout` returns for the image.
    /// - Returns: the time of the frame that the mask shows, as `PersonSegmentationObservation.time`.
    @discardableResult
    public func perform(on frame: InputFrame, into mask: MutableMaskView) throws(VisionError) -> Duration? {
        lock.enter()
        defer { lock.leave() }
        let found = try find(in: frame)
        let given = MaskLayout(width: mask.width, height: mask.height, format: mask.format)
        guard found.layout == given else { throw .maskMismatch(expected: found.layout, found: given) }
        try found.writeMask(into: mask)
        return found.time
    }

    /// Analyses a frame of a stream before its turn; see `MaskRequest`.
    public func lookAhead(to frame: InputFrame) throws(VisionError) {
        lock.enter()
        defer { lock.leave() }
        let configuration = configuration
        try pipeline.lookAhead(to: frame.of(configuration), configuration)
    }

    /// Segments `frame`; its mask, which is of all people, can be written until the next call.
    public func find(in frame: InputFrame) throws(VisionError) -> InstanceMasks {
        lock.enter()
        defer { lock.leave() }
        memory.endTurn()
        let configuration = configuration
        let frame = try frame.of(configuration)
        let people = try pipeline.segment(frame, configuration)
        return InstanceMasks(
            pipeline.controlled(people.mask, configuration), people, frame, separator: nil,
            revision: configuration.revision, in: memory)
    }
}

extension GeneratePersonSegmentationRequest.QualityLevel {
    var profile: QualityProfile {
        switch self {
        case .fast: .fast
        case .balanced: .balanced
        case .accurate: .accurate
        }
    }
}

extension GeneratePersonSegmentationRequest.Configuration {
    package var setup: ModelSetup {
        ModelSetup(
            device: device, threads: threads, modelPath: modelPath, precision: precision,
            compilesInBackground: mode == .camera && !waitsForBackground, keepsModels: mode == .image)
    }

    /// Whether frames pass on while `balanced` masks are computed on a background thread.
    var segmentsInBackground: Bool { mode == .camera && !waitsForMasks }
}

/// The people of one image.
public struct PersonSegmentationObservation: VisionObservation {
    /// Soft coverage: 0 is background, full scale is person; in the image's stored orientation.
    public let mask: Mask
    /// The time of the frame that the mask shows, from its stream's beginning.
    ///
    /// It is another frame's time where the mask has moved along (`AnalysisMode.camera`), else the frame's
    /// own.
    public let time: Duration?
    /// The revision that made the mask.
    public let revision: Int
    /// The quality level that made the mask: `.fast` while a mask of the wanted level is missing
    /// (`AnalysisMode.camera`).
    public let qualityLevel: GeneratePersonSegmentationRequest.QualityLevel
    /// The identifier of this observation, which takes no part in comparisons.
    @_disfavoredOverload
    @Incomparable public private(set) var uuid = ObservationUUID()
}
