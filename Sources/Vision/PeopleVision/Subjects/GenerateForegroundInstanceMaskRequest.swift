public import Imaging

/// Finds the subjects of an image, whatever they are, each with a soft mask of its own.
///
/// Subjects are the people that `GeneratePersonSegmentationRequest` finds, and other things that stand
/// out of the image: an animal, a vehicle, a cup. People who touch are a subject each; of other things those whose
/// outlines touch are one, together with a person whom they touch. One request per
/// stream: subjects keep their `id`. An image without a subject, such as a landscape, may have none; in
/// an image full of things of equal weight, any of them may be subjects.
public final class GenerateForegroundInstanceMaskRequest: InstanceMaskRequest {
    /// The result of the request.
    public typealias Observation = InstanceMaskObservation

    /// The settings of the masks, and of the computation.
    public struct Configuration: RequestConfiguration {
        /// The revision to use; the newest by default.
        public var revision = GenerateForegroundInstanceMaskRequest.supportedRevisions.upperBound
        /// Settings of the people's segmentation; its mask size, sample format, smoothing and models
        /// are those of all subjects.
        public var segmentation = GeneratePersonSegmentationRequest.Configuration()
        /// The maximum number of subjects with a mask of their own, 1...12; the largest are kept.
        public var maximumInstances = 8
        /// The treatment of the other subjects.
        public var overflow = InstanceOverflow.merge

        /// The origin of the images, which is that of `segmentation`.
        public var mode: AnalysisMode {
            get { segmentation.mode }
            set { segmentation.mode = newValue }
        }

        /// The part of the image that is analysed, which is that of `segmentation`.
        public var regionOfInterest: NormalizedRect {
            get { segmentation.regionOfInterest }
            set { segmentation.regionOfInterest = newValue }
        }

        /// Creates settings for eight subjects in accurate 8-bit masks.
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

    /// Segments the people.
    private let people = SegmentationPipeline()
    private var models = LoadedModels<Models>()
    private var lastSeparator: SubjectSeparator?
    private var lastTime: UInt64?

    private struct Models {
        let segmenter: SubjectSegmenter
        let separator: SubjectSeparator
    }

    /// Creates a request; for eight subjects in accurate 8-bit masks unless `configuration` says otherwise.
    public init(_ configuration: Configuration = Configuration()) {
        memory = SharedMaskMemory(lock)
        settings = Settings(configuration)
    }

    /// Returns size and format of the masks of a `width` x `height` image, in its stored orientation.
    public func maskLayout(width: Int, height: Int, orientation: ImageOrientation = .up) -> MaskLayout {
        people.layout(width, height, orientation, configuration.segmentation)
    }

    /// Finds the models' files without loading them.
    public func checkModels() throws(VisionError) {
        try people.checkModels(configuration.segmentation)
        try SaliencyEstimator.check(configuration.segmentation.setup)
    }

    /// Loads the models for images of this size, so that the first one does not wait for them.
    public func prepare(width: Int, height: Int, orientation: ImageOrientation = .up) throws(VisionError) {
        lock.enter()
        defer { lock.leave() }
        let configuration = configuration
        let compilation = SaliencyEstimator.compilation(configuration.segmentation.setup)
        defer { withExtendedLifetime(compilation) {} }
        let size = configuration.analysedSize(width, height)
        try people.prepare(
            size.width, size.height, orientation, configuration.segmentation, forPeople: true)
        _ = try load(configuration)
    }

    /// Forgets the frames before: the next one starts a new stream, and its subjects get other ids.
    public func reset() {
        lock.enter()
        defer { lock.leave() }
        people.reset()
        models.current?.segmenter.reset()
        models.current?.separator.reset()
        memory.endTurn()
    }

    /// Releases the loaded models, and forgets the subjects.
    public func unload() {
        lock.enter()
        defer { lock.leave() }
        people.unload()
        models.unload()
        memory.endTurn()
        lastSeparator = nil
    }

    /// Analyses a frame of a stream before its turn; see `MaskRequest`.
    public func lookAhead(to frame: InputFrame) throws(VisionError) {
        lock.enter()
        defer { lock.leave() }
        let configuration = configuration
        try people.lookAhead(
            to: frame.of(configuration), configuration.segmentation, forPeople: true)
    }

    /// Finds the subjects of `frame`, with new masks.
    public func perform(on frame: InputFrame) throws(VisionError) -> InstanceMaskObservation {
        lock.enter()
        defer { lock.leave() }
        return try InstanceMaskObservation(find(in: frame))
    }

    /// Finds the subjects of `frame`; their masks can be written until the next frame.
    public func find(in frame: InputFrame) throws(VisionError) -> InstanceMasks {
        lock.enter()
        defer { lock.leave() }
        let configuration = configuration
        let frame = try frame.of(configuration)
        try Self.check(revision: configuration.revision)
        memory.endTurn()
        let seconds = frame.seconds(since: lastTime)
        lastTime = frame.nanoseconds
        let models = try load(configuration)
        if frame.isStill {
            models.segmenter.reset()
            models.separator.restart()
        }
        let needsPeople = try models.segmenter.observe(
            frame, configuration.segmentation.qualityLevel.profile.subjectPropagation)
        let needsEach = needsPeople || models.separator.mayHaveGroups(of: models.segmenter.peopleCount)
        let all = try people.segment(frame, configuration.segmentation, withPeople: needsEach)
        try models.segmenter.segment(frame, people: all, smoothing: configuration.segmentation.smoothing)
        models.separator.separate(
            models.segmenter, all.people, isStill: frame.isStill, after: seconds,
            Self.limits(configuration.maximumInstances, configuration.overflow))
        return InstanceMasks(
            people.controlled(models.separator.mask, configuration.segmentation), all, frame,
            separator: models.separator, revision: configuration.revision, in: memory)
    }

    /// Upright coverage by the last frame's subjects in the saliency model's image; nil before the first.
    var coarseMask: FloatImage? { models.current?.segmenter.coarse }

    /// Upright coverage by the last frame's people in the same image; nil before the first.
    var coarsePeople: FloatImage? { models.current?.segmenter.people }

    private func load(_ configuration: Configuration) throws(VisionError) -> Models {
        let last = lastSeparator
        let models = try self.models.models(configuration.segmentation.setup) { setup throws(VisionError) in
            let segmenter = try SubjectSegmenter(setup)
            return Models(segmenter: segmenter, separator: SubjectSeparator(segmenter, after: last))
        }
        lastSeparator = models.separator
        return models
    }
}
