public import Imaging

/// Finds the people of an image, each with a soft mask of their own.
///
/// Up to four people, or `maximumInstances`, have masks of their own. Together these are the mask of
/// `GeneratePersonSegmentationRequest`, in which people whom that mask has lost are completed. One request
/// per stream: people keep their `id` while their ways cross, and when they come back within five seconds.
/// They are distinguished by place, motion and the colours of their clothes, not by their faces.
public final class GeneratePersonInstanceMaskRequest: InstanceMaskRequest {
    /// The result of the request.
    public typealias Observation = InstanceMaskObservation

    /// The settings of the masks, and of the computation.
    public struct Configuration: RequestConfiguration {
        /// The revision to use; the newest by default.
        public var revision = GeneratePersonInstanceMaskRequest.supportedRevisions.upperBound
        /// The mask that is divided: its quality level, sample format, smoothing and models.
        public var segmentation = GeneratePersonSegmentationRequest.Configuration()
        /// The maximum number of people with a mask of their own, 1...12; those with the largest visible area
        /// are kept.
        public var maximumInstances = 4
        /// The treatment of the other people.
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

        /// Creates settings for four people in accurate 8-bit masks.
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

    /// Computes the mask that is divided.
    private let pipeline: SegmentationPipeline
    private var separator: (plan: SegmentationPlan, separator: PersonSeparator)?
    private var lastTime: UInt64?

    /// Creates a request; for four people in accurate 8-bit masks unless `configuration` says otherwise.
    public convenience init(_ configuration: Configuration = Configuration()) {
        self.init(configuration, SegmentationPipeline())
    }

    /// Creates a request that shares its segmenter with others.
    package init(_ configuration: Configuration, _ pipeline: SegmentationPipeline) {
        memory = SharedMaskMemory(lock)
        settings = Settings(configuration)
        self.pipeline = pipeline
    }

    /// Returns size and format of the masks of a `width` x `height` image, in its stored orientation.
    public func maskLayout(width: Int, height: Int, orientation: ImageOrientation = .up) -> MaskLayout {
        pipeline.layout(width, height, orientation, configuration.segmentation)
    }

    /// Finds the models' files without loading them.
    public func checkModels() throws(VisionError) { try pipeline.checkModels(configuration.segmentation) }

    /// Loads the models for images of this size, so that the first one does not wait for them.
    public func prepare(width: Int, height: Int, orientation: ImageOrientation = .up) throws(VisionError) {
        lock.enter()
        defer { lock.leave() }
        let size = configuration.analysedSize(width, height)
        try prepare(size.width, size.height, orientation, configuration)
    }

    private func prepare(
        _ width: Int, _ height: Int, _ orientation: ImageOrientation, _ configuration: Configuration
    ) throws(VisionError) {
        try pipeline.prepare(
            width, height, orientation, configuration.segmentation, forPeople: true,
            search: configuration.search)
    }

    /// Forgets the frames before: the next one starts a new stream, and its people get other ids.
    public func reset() {
        lock.enter()
        defer { lock.leave() }
        pipeline.reset()
        separator?.separator.reset()
        memory.endTurn()
    }

    /// Releases the loaded models, and forgets the people.
    public func unload() {
        lock.enter()
        defer { lock.leave() }
        pipeline.unload()
        memory.endTurn()
        separator = nil
    }

    /// Analyses a frame of a stream before its turn; see `MaskRequest`.
    public func lookAhead(to frame: InputFrame) throws(VisionError) {
        lock.enter()
        defer { lock.leave() }
        let configuration = configuration
        try pipeline.lookAhead(
            to: frame.of(configuration), configuration.segmentation, forPeople: true,
            search: configuration.search)
    }

    /// Finds the people of `frame`, with new masks.
    public func perform(on frame: InputFrame) throws(VisionError) -> InstanceMaskObservation {
        lock.enter()
        defer { lock.leave() }
        return try InstanceMaskObservation(find(in: frame))
    }

    /// Finds the people of `frame`; their masks can be written until the next frame.
    public func find(in frame: InputFrame) throws(VisionError) -> InstanceMasks {
        lock.enter()
        defer { lock.leave() }
        let configuration = configuration
        let frame = try frame.of(configuration)
        try Self.check(revision: configuration.revision)
        memory.endTurn()
        let seconds = frame.seconds(since: lastTime)
        lastTime = frame.nanoseconds
        try prepare(frame.image.width, frame.image.height, frame.orientation, configuration)
        let all = try pipeline.segment(frame, configuration.segmentation, withPeople: true)
        let separator = separator(for: all.plan)
        if frame.isStill { separator.restart() }
        try separator.separate(
            all, frame, after: seconds,
            Self.limits(configuration.maximumInstances, configuration.overflow))
        return InstanceMasks(
            pipeline.controlled(separator.mask, configuration.segmentation), all, frame, separator: separator,
            revision: configuration.revision, in: memory)
    }

    private func separator(for plan: SegmentationPlan) -> PersonSeparator {
        if let separator, separator.plan == plan { return separator.separator }
        let fresh = PersonSeparator(plan, after: separator?.separator)
        separator = (plan, fresh)
        return fresh
    }
}

extension GeneratePersonInstanceMaskRequest.Configuration {
    /// The schedule of the search for small people.
    fileprivate var search: PersonSearch.Schedule { mode == .camera ? .spread : .atOnce }
}

/// Separates the people of a stream's masks.
final class PersonSeparator: InstanceSeparator {
    private let partition: MaskPartition
    private var candidates: [Candidate] = []

    /// Creates a separator for masks of `plan`, with the people that `last`, for frames of another size, has
    /// seen.
    init(_ plan: SegmentationPlan, after last: PersonSeparator? = nil) {
        partition = MaskPartition(plan)
        super.init(partition, after: last)
    }

    /// Separates the people of the next frame, and raises its mask to the coverage of people whom it has lost.
    ///
    /// - Parameters:
    ///   - all: the mask of all people of `frame`, and the coverage of each.
    ///   - seconds: time since the frame before.
    func separate(
        _ all: SegmentedFrame, _ frame: InputFrame, after seconds: Double, _ limits: Limits
    ) throws(VisionError) {
        let found = all.people ?? .none
        mask.copy(all.mask)
        partition.divide(mask, among: found.people)
        candidates.removeAll(keepingCapacity: true)
        for (number, person) in found.people.enumerated() {
            measureColors(of: person, number)
            let (box, score) = (person.person.box, person.person.score)
            candidates.append(
                Candidate(
                    box: box, confidence: score,
                    prominence: Double(partition.area(ofPerson: number)) * score, colors: person.colors))
        }
        identify(
            candidates, total: found.count, scene: found.scene, after: seconds, limits,
            frame.isStill && candidates.count > 1 ? try seams(of: frame) : nil)
    }

    /// Returns a refinement that moves seams to the edges of a still image.
    private func seams(of frame: InputFrame) throws(VisionError) -> SeamRefinement {
        let (coarse, fine) = (FrameBrightness(), FrameBrightness())
        let region = FrameTransform.orientation(frame.orientation)
        try coarse.sample(
            frame.image, region: region, width: partition.owners.width, height: partition.owners.height)
        try fine.sample(frame.image, region: region, width: mask.width, height: mask.height)
        return SeamRefinement(coarse: coarse.values, fine: fine.values)
    }

    private func measureColors(of person: PersonPrior.Person, _ number: Int) {
        let crop = FrameTransform.crop(person.crop)
        person.colors.measure(person.coverage) { x, y in
            let place = crop.map(Point(x: x, y: y))
            return partition.isOwned(by: number, x: place.x, y: place.y)
        }
    }
}
