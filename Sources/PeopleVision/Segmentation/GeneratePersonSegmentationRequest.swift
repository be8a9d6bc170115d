public import Imaging
public import Inference

/// Finds the people of a picture as one soft mask.
///
/// Works best for up to four people, each at least half as high as the picture, who stand out from
/// the background. Statues, pictures of people and people far away are ambiguous. One request per stream:
/// it smooths over time where the picture stands still.
public final class GeneratePersonSegmentationRequest: VisionRequest {
    /// What counts: detail or speed.
    public enum QualityLevel: String, CaseIterable, Sendable {
        /// Streaming: MediaPipe's selfie models; masks of 256x144 or 256x256.
        case fast
        /// Video, frame by frame: MODNet on the people; masks of the frame's aspect, up to 768 a side.
        case balanced
        /// Photography: the median of five passes of MODNet; masks of the frame's size, up to 2048 a side.
        case accurate
    }

    /// What is asked for, and what it is computed with.
    public struct Configuration: Sendable, Equatable {
        /// The revision to use; the newest by default.
        public var revision = GeneratePersonSegmentationRequest.supportedRevisions.upperBound
        /// What counts: detail or speed.
        public var qualityLevel = QualityLevel.accurate
        /// Sample format of the mask.
        public var outputPixelFormat = MaskFormat.gray8
        /// OpenVINO's device: `CPU`, `GPU`, `NPU`, `AUTO`.
        public var device = "CPU"
        /// Threads for inference, 0 for as many as suit the model.
        public var threads = 0
        /// How strongly masks of a stream are smoothed where the picture stands still: 0 not at all, 1 most.
        public var smoothing: Float = 0.95
        /// What is done to the finished mask; nothing by default.
        public var controls = MaskControls()
        /// A prepared model's name or a model file, to use instead of one of the quality level's own; or a directory
        /// of models.
        ///
        /// The manifest beside the file says in its `kind` which one: `segmentation`, `matting`, `recurrent matting`.
        public var modelPath: String?

        /// The arithmetic of MODNet; masks of 8-bit integers are as good, not equal.
        public var precision = ModelPrecision.automatic

        /// Whether masks may be less exact while a thread compiles a model for a new size.
        ///
        /// For live streams: no frame waits for it, and results depend on timing.
        public var compilesInBackground = false

        /// Whether pictures go on while `balanced` masks are made on a thread.
        ///
        /// For live streams: a picture's mask is the last one that was made, moved along with the picture; it is that of
        /// `fast` before the first one and where too much of the motion is lost. Results depend on timing.
        public var segmentsInBackground = false

        /// Accurate 8-bit masks.
        public init() {}
    }

    /// Revision 1 only.
    public static let supportedRevisions = 1...1

    /// The settings.
    public var configuration: Configuration
    /// When the next picture was taken, in nanoseconds of its stream; only `maskTime` depends on it.
    public var imageTime: UInt64?

    private var loaded: Loaded?
    private let replica = ModelReplica()
    /// For masks that are made beside the stream.
    private lazy var replicaBeside = ModelReplica()
    private let writer = MaskWriter()
    private let controlFilter = MaskControlFilter()
    private let controlledMask = FloatImage()

    /// A segmenter and what it was made for.
    private struct Loaded {
        let configuration: Configuration
        let frame: Size
        let plan: SegmentationPlan
        let segmenter: any Segmenter
    }

    /// A request; for accurate 8-bit masks unless `configuration` says otherwise.
    public init(_ configuration: Configuration = Configuration()) { self.configuration = configuration }

    /// Size and format of the mask of a `width` x `height` picture, in its stored orientation.
    public func maskLayout(width: Int, height: Int, orientation: ImageOrientation = .up) -> MaskLayout {
        layout(plan(for: uprightSize(width, height, orientation)), orientation)
    }

    /// Loads the models for pictures of this size, so that the first one does not wait for them.
    public func prepare(width: Int, height: Int, orientation: ImageOrientation = .up) throws(VisionError) {
        _ = try load(for: uprightSize(width, height, orientation))
    }

    /// Loads what finding people one by one takes besides.
    func preparePeople(width: Int, height: Int, orientation: ImageOrientation) throws(VisionError) {
        try load(for: uprightSize(width, height, orientation)).segmenter.preparePeople()
    }

    /// Finds the models' files without loading them.
    public func checkModels() throws(VisionError) {
        let plan = plan(for: Size(width: 16, height: 9))
        try SegmentationSetup(configuration.setup, plan.profile).check(plan)
    }

    /// When the picture was taken of which the last mask was made, where that mask has moved along since
    /// (`segmentsInBackground`); nil where the last mask was made of its own picture.
    public var maskTime: UInt64? { (loaded?.segmenter as? LiveSegmenter)?.timeMade }

    /// Lets go of the loaded models.
    public func unload() { loaded = nil }

    /// Forgets the images before: the next one does not follow them.
    public func reset() { loaded?.segmenter.reset() }

    /// Segments `image` into a new mask.
    public func perform(
        on image: ImageView, orientation: ImageOrientation = .up
    ) throws(VisionError) -> PersonSegmentationObservation {
        let layout = maskLayout(width: image.width, height: image.height, orientation: orientation)
        let mask = try Mask.make(layout)
        try perform(on: image, orientation: orientation, into: mask.mutableView)
        return PersonSegmentationObservation(
            mask: mask, revision: configuration.revision, qualityLevel: configuration.qualityLevel)
    }

    /// Segments `image` into memory of the caller's; allocates nothing once the model is loaded.
    ///
    /// - Parameter mask: of the layout that `maskLayout` gives for the image.
    public func perform(
        on image: ImageView, orientation: ImageOrientation = .up, into mask: MutableMaskView
    ) throws(VisionError) {
        let loaded = try load(for: uprightSize(image.width, image.height, orientation))
        let expected = layout(loaded.plan, orientation)
        let found = MaskLayout(width: mask.width, height: mask.height, format: mask.format)
        guard expected == found else { throw .maskMismatch(expected: expected, found: found) }
        let values = controlled(try segment(image, orientation, loaded.segmenter))
        do throws(MaskWriterError) {
            try writer.write(
                UnsafeBufferPointer(values.values), width: values.width, height: values.height,
                region: .orientation(orientation), into: mask)
        } catch { throw .mask(error) }
    }

    /// The mask of `image`, upright and as the segmenter made it, valid until the next image.
    func coverage(
        of image: ImageView, _ orientation: ImageOrientation
    ) throws(VisionError) -> (mask: FloatImage, segmenter: any Segmenter, plan: SegmentationPlan) {
        let loaded = try load(for: uprightSize(image.width, image.height, orientation))
        return (try segment(image, orientation, loaded.segmenter), loaded.segmenter, loaded.plan)
    }

    private func segment(
        _ image: ImageView, _ orientation: ImageOrientation, _ segmenter: any Segmenter
    ) throws(VisionError) -> FloatImage {
        (segmenter as? LiveSegmenter)?.time = imageTime
        return try segmenter.segment(image, orientation: orientation, smoothing: configuration.smoothing)
    }

    /// `mask` with the user's settings applied, in a copy: segmenters go on with their own.
    func controlled(_ mask: FloatImage) -> FloatImage {
        let controls = configuration.controls
        guard !controls.isNeutral else { return mask }
        controlledMask.copy(mask)
        controlFilter.apply(controls, to: controlledMask)
        return controlledMask
    }

    private func uprightSize(_ width: Int, _ height: Int, _ orientation: ImageOrientation) -> Size {
        orientation.uprightSize(of: Size(width: max(1, width), height: max(1, height)))
    }

    private func layout(_ plan: SegmentationPlan, _ orientation: ImageOrientation) -> MaskLayout {
        let (mask, swapped) = (plan.mask, orientation.swapsAxes)
        return MaskLayout(
            width: swapped ? mask.height : mask.width, height: swapped ? mask.width : mask.height,
            format: configuration.outputPixelFormat)
    }

    private func plan(for frame: Size) -> SegmentationPlan {
        if let loaded, loaded.frame == frame, loaded.plan.profile == configuration.qualityLevel.profile {
            return loaded.plan
        }
        return SegmentationPlan(configuration.qualityLevel.profile, size: frame)
    }

    /// The loaded models for upright pictures of size `frame`; loaded anew when that or a setting which they
    /// depend on has changed.
    private func load(for frame: Size) throws(VisionError) -> Loaded {
        if let loaded, loaded.frame == frame, loaded.configuration == configuration { return loaded }
        try Self.check(revision: configuration.revision)
        let plan = plan(for: frame)
        let segmenter: any Segmenter
        if let loaded, loaded.plan == plan, loaded.configuration.setup == configuration.setup,
            loaded.configuration.segmentsInBackground == configuration.segmentsInBackground
        {
            segmenter = loaded.segmenter
        } else {
            segmenter = try makeSegmenter(plan)
        }
        let fresh = Loaded(configuration: configuration, frame: frame, plan: plan, segmenter: segmenter)
        loaded = fresh
        return fresh
    }

    private func makeSegmenter(_ plan: SegmentationPlan) throws(VisionError) -> any Segmenter {
        let setup = try SegmentationSetup(configuration.setup.using(replica), plan.profile)
        guard !plan.profile.passes.isEmpty else { return try FastSegmenter(plan, setup) }
        let last = loaded?.segmenter
        let load = { (setup: SegmentationSetup) throws(VisionError) -> any Segmenter in
            let known = try (last as? LiveSegmenter)?.waitForSegmenter() ?? last
            return try MattingSegmenter(plan, setup, after: known as? MattingSegmenter)
        }
        guard configuration.segmentsInBackground, let limits = plan.profile.propagation else {
            return try load(setup)
        }
        let beside = try SegmentationSetup(configuration.setup.using(replicaBeside), plan.profile)
        return try LiveSegmenter(plan, limits, setup) { () throws(VisionError) in try load(beside) }
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
    var setup: ModelSetup {
        ModelSetup(
            device: device, threads: threads, modelPath: modelPath, precision: precision,
            compilesInBackground: compilesInBackground)
    }
}

/// The people of one picture.
public struct PersonSegmentationObservation {
    /// Soft coverage: 0 is background, full scale is person; in the picture's stored orientation.
    public let mask: Mask
    /// The revision that made it.
    public let revision: Int
    /// The quality level that made it.
    public let qualityLevel: GeneratePersonSegmentationRequest.QualityLevel
}
