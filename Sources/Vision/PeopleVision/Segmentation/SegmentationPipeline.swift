import Imaging
import Inference

/// Computes the mask of all people that several requests start from: it loads segmenters, and keeps the
/// one of a stream.
///
/// Requests receive the pipeline when they are created, and pass their configuration with each call.
package final class SegmentationPipeline {
    package typealias Configuration = GeneratePersonSegmentationRequest.Configuration

    private var loaded: Loaded?
    /// The segmenter of another quality level that is being loaded beside the stream.
    private var next: (configuration: Configuration, plan: SegmentationPlan, loading: BackgroundSegmentation)?
    private let replica = ModelReplica()
    /// The copy of the models for masks that are computed on a background thread.
    private lazy var backgroundReplica = ModelReplica()
    private var controlFilter = MaskControlFilter()
    private var controlledMask = FloatImage()

    /// A segmenter with the settings that it was made for.
    private struct Loaded {
        let configuration: Configuration
        /// Size of the upright frame.
        let frame: Size
        let plan: SegmentationPlan
        let segmenter: LookaheadSegmenter

        /// Whether these models may serve a stream's frame while those of another quality level are loaded.
        func mayServe(_ other: Configuration, _ frame: InputFrame) -> Bool {
            other.loadsBesideStream && !frame.isStill && other.qualityLevel != configuration.qualityLevel
                && other.setup == configuration.setup
                && other.segmentsInBackground == configuration.segmentsInBackground
        }
    }

    private let detections: SharedDetections?

    package convenience init() { self.init(sharing: nil) }

    /// Creates a pipeline.
    ///
    /// - Parameter detections: shared with requests that look at the same frames.
    init(sharing detections: SharedDetections?) { self.detections = detections }

    /// Returns size and format of the mask of a `width` x `height` image, in its stored orientation.
    func layout(
        _ width: Int, _ height: Int, _ orientation: ImageOrientation, _ configuration: Configuration
    ) -> MaskLayout {
        layout(plan(for: uprightSize(width, height, orientation), configuration), orientation, configuration)
    }

    func prepare(
        _ width: Int, _ height: Int, _ orientation: ImageOrientation, _ configuration: Configuration,
        forPeople: Bool = false, search: PersonSearch.Schedule? = nil
    ) throws(VisionError) {
        let loaded = try load(for: uprightSize(width, height, orientation), configuration)
        if forPeople { try loaded.segmenter.preparePeople(search) }
    }

    func checkModels(_ configuration: Configuration) throws(VisionError) {
        let plan = plan(for: Size(width: 16, height: 9), configuration)
        try SegmentationSetup(configuration.setup, plan.profile).check(plan)
    }

    func reset() { loaded?.segmenter.reset() }

    func unload() {
        (loaded, next) = (nil, nil)
        RecentModels.shared.release()
        (controlFilter, controlledMask) = (MaskControlFilter(), FloatImage())
    }

    /// Analyses a later frame.
    ///
    /// The frames come in their order, each once, before `segment` is called with the same ones.
    func lookAhead(
        to frame: InputFrame, _ configuration: Configuration, forPeople: Bool = false,
        search: PersonSearch.Schedule? = nil
    ) throws(VisionError) {
        let loaded = try load(for: frame.uprightSize, configuration, during: frame)
        if forPeople { try loaded.segmenter.preparePeople(search) }
        try loaded.segmenter.lookAhead(to: frame, smoothing: configuration.smoothing)
    }

    /// Returns the people of `frame` as one mask and, `withPeople`, each with coverage of their own.
    func segment(
        _ frame: InputFrame, _ configuration: Configuration, withPeople: Bool = false
    ) throws(VisionError) -> SegmentedFrame {
        let loaded = try load(for: frame.uprightSize, configuration, during: frame)
        let found = try loaded.segmenter.segment(
            frame, smoothing: configuration.smoothing, withPeople: withPeople)
        return SegmentedFrame(
            mask: found.mask, people: found.people,
            layout: layout(of: frame, loaded, configuration), plan: loaded.plan,
            time: found.time, qualityLevel: found.isFallback ? .fast : loaded.configuration.qualityLevel)
    }

    /// Returns the layout of the mask of the whole image, of which the frame may be a part.
    private func layout(of frame: InputFrame, _ loaded: Loaded, _ configuration: Configuration) -> MaskLayout
    {
        guard frame.part != nil else { return layout(loaded.plan, frame.orientation, configuration) }
        let whole = frame.orientation.uprightSize(of: frame.wholeSize)
        return layout(
            SegmentationPlan(loaded.plan.profile, size: whole), frame.orientation, configuration)
    }

    /// Returns `mask` with the user's settings applied, in a copy, because segmenters continue with their own
    /// mask.
    func controlled(_ mask: FloatImage, _ configuration: Configuration) -> FloatImage {
        let controls = configuration.controls
        guard !controls.isNeutral else { return mask }
        controlledMask.copy(mask)
        controlFilter.apply(controls, to: controlledMask)
        return controlledMask
    }

    private func uprightSize(_ width: Int, _ height: Int, _ orientation: ImageOrientation) -> Size {
        orientation.uprightSize(of: Size(width: max(1, width), height: max(1, height)))
    }

    private func layout(
        _ plan: SegmentationPlan, _ orientation: ImageOrientation, _ configuration: Configuration
    ) -> MaskLayout {
        let (mask, swapped) = (plan.mask, orientation.swapsAxes)
        return MaskLayout(
            width: swapped ? mask.height : mask.width, height: swapped ? mask.width : mask.height,
            format: configuration.outputPixelFormat)
    }
}

/// The people of a frame, with what is to be known of their masks.
struct SegmentedFrame {
    /// The upright mask of all people; valid until the next frame.
    let mask: FloatImage
    /// The people, each with coverage of their own, valid until the next frame; nil where that was not wanted.
    let people: SegmentedPeople?
    /// Size and format of the mask in the stored orientation.
    let layout: MaskLayout
    /// The sizes that the frame was analysed at.
    let plan: SegmentationPlan
    /// The time of the frame that the mask shows, in nanoseconds.
    let time: UInt64?
    /// The quality level that made the mask.
    let qualityLevel: GeneratePersonSegmentationRequest.QualityLevel
}

// MARK: - Loading

extension SegmentationPipeline {
    private func plan(for frame: Size, _ configuration: Configuration) -> SegmentationPlan {
        if let loaded, loaded.frame == frame, loaded.plan.profile == configuration.qualityLevel.profile {
            return loaded.plan
        }
        return SegmentationPlan(configuration.qualityLevel.profile, size: frame)
    }

    /// Returns the loaded models for upright frames of a size; reloads them when the size or a relevant
    /// setting has changed.
    ///
    /// - Parameter current: the frame of a stream that goes on with the former models while others are loaded.
    private func load(
        for frame: Size, _ configuration: Configuration, during current: InputFrame? = nil
    ) throws(VisionError) -> Loaded {
        if let loaded, loaded.frame == frame, loaded.configuration == configuration {
            // The level was set back; what is being loaded ends before it is released.
            if next?.loading.isBusy == false { next = nil }
            return loaded
        }
        try GeneratePersonSegmentationRequest.check(revision: configuration.revision)
        let plan = plan(for: frame, configuration)
        if let loaded, let current, loaded.frame == frame, loaded.mayServe(configuration, current) {
            return try loadBeside(loaded, plan, configuration, current)
        }
        let segmenter: LookaheadSegmenter
        if let loaded, loaded.plan == plan, loaded.configuration.setup == configuration.setup,
            loaded.configuration.segmentsInBackground == configuration.segmentsInBackground
        {
            segmenter = loaded.segmenter
        } else {
            segmenter = LookaheadSegmenter(try recipe(plan, configuration).make(after: loaded?.segmenter))
        }
        let fresh = Loaded(configuration: configuration, frame: frame, plan: plan, segmenter: segmenter)
        loaded = fresh
        return fresh
    }

    /// Returns the former models until those of another quality level are loaded and have segmented a frame.
    private func loadBeside(
        _ former: Loaded, _ plan: SegmentationPlan, _ configuration: Configuration, _ current: InputFrame
    ) throws(VisionError) -> Loaded {
        guard let next else {
            let recipe = recipe(plan, configuration)
            // What it loads serves the stream soon, so that its threads are as nice as others.
            let loading = BackgroundSegmentation(niceness: 0) { () throws(VisionError) in
                try recipe.make(after: nil)
            }
            loading.begin(current, smoothing: configuration.smoothing)
            next = (configuration, plan, loading)
            return former
        }
        guard !next.loading.isBusy else { return former }
        self.next = nil
        // The settings may have changed again meanwhile.
        guard next.plan == plan, next.configuration.setup == configuration.setup else { return former }
        let segmenter = LookaheadSegmenter(try next.loading.waitForSegmenter())
        segmenter.reset()
        let fresh = Loaded(
            configuration: configuration, frame: former.frame, plan: plan, segmenter: segmenter)
        loaded = fresh
        return fresh
    }

    private func recipe(_ plan: SegmentationPlan, _ configuration: Configuration) -> SegmenterRecipe {
        SegmenterRecipe(
            plan: plan, configuration: configuration,
            setup: configuration.setup.using(replica).sharing(detections),
            background: configuration.segmentsInBackground
                ? configuration.setup.using(backgroundReplica) : nil)
    }
}

/// The settings from which a segmenter is loaded, on any thread.
struct SegmenterRecipe: Sendable {
    let plan: SegmentationPlan
    let configuration: GeneratePersonSegmentationRequest.Configuration
    let setup: ModelSetup
    /// The setup of the models that run on a background thread; nil where none do.
    let background: ModelSetup?

    /// Loads the segmenter.
    ///
    /// - Parameter last: the segmenter that it replaces, whose models it may take over; nil where that is in use.
    func make(after last: LookaheadSegmenter?) throws(VisionError) -> any Segmenter {
        let setup = try SegmentationSetup(setup, plan.profile)
        guard !plan.profile.passes.isEmpty else { return try FastSegmenter(plan, setup) }
        let load = { [plan] (setup: SegmentationSetup) throws(VisionError) in
            try MattingSegmenter(plan, setup, after: try last?.waitForMattingModels())
        }
        guard MaskRule.propagation.isOn, let limits = plan.profile.propagation else { return try load(setup) }
        guard let background else { return PropagatingSegmenter(try load(setup), limits) }
        guard plan.profile.computesBesideCamera else { return try load(setup) }
        let backgroundSetup = try SegmentationSetup(background, plan.profile)
        let wait: LiveSegmenter.Wait =
            configuration.waitsForBackground ? .always : configuration.passesAtOnce ? .never : .briefly
        return try LiveSegmenter(plan, limits, setup, wait) {
            () throws(VisionError) in try load(backgroundSetup)
        }
    }
}
