import Imaging

/// Finds people, segments each coarsely, mattes them together, and fuses both into one mask.
final class MattingSegmenter: Segmenter {
    private let coarse: CoarseSegmenter
    private let tracker: PersonTracker
    private let prior: PersonPrior
    private var planner: CropPlanner
    private let mattes: any MatteSource
    private let fusion: MaskFusion
    /// Nil at levels without it.
    private let groups: GroupRefinement?
    private let temporal = TemporalMaskFilter()
    /// Whether `prior` is of the last frame.
    private var isPriorCurrent = false
    /// Whether `groups` has corrected the coverage of its people.
    private var isRefined = false
    /// The extent of the last frame's mask.
    private var extent: Rectangle?

    /// Loads the models.
    ///
    /// - Parameter known: matting models that are loaded already, for frames of another size.
    init(
        _ plan: SegmentationPlan, _ setup: SegmentationSetup, after known: MattingModels?
    ) throws(VisionError) {
        // Side by side with the matting model, which takes longer than all of them.
        var compilations = [
            PersonDetector.compilation(setup.coarse), CoarseModel.square.compilation(setup.coarse),
            plan.coarseModel.compilation(setup.coarse),
        ]
        if plan.profile.groups != nil { compilations += BoxSegmenter.compilations(setup.coarse) }
        defer { withExtendedLifetime(compilations) {} }
        let models =
            if let known, known.setup == setup.matting { known } else { try MattingModels(setup.matting) }
        mattes =
            setup.isRecurrent
            ? try RecurrentMatteEstimator(plan, models) : try MatteEstimator(plan, models)
        coarse = try CoarseSegmenter(plan.coarseModel, setup.coarse)
        tracker = try PersonTracker(plan.profile, setup.coarse)
        prior = try PersonPrior(plan.profile, setup.coarse)
        planner = CropPlanner(plan.profile)
        fusion = MaskFusion(plan)
        groups = try GroupRefinement(plan, setup.coarse)
    }

    func waitForMattingModels() -> MattingModels? { mattes.models }

    func segment(_ frame: InputFrame, smoothing: Float) throws(VisionError) -> FloatImage {
        _ = try observe(frame)
        return try computeMask(frame, smoothing: smoothing)
    }

    /// Brightness of the observed frame, 0...1.
    var brightness: FloatImage { coarse.brightness }
    /// How many people are in the observed frame.
    var peopleCount: Int { tracker.people.count }

    /// Looks at the next frame as a whole, and for people in it.
    ///
    /// - Returns: whether it continues the scene of the last.
    func observe(_ frame: InputFrame) throws(VisionError) -> Bool {
        let continues = try coarse.segment(frame.image, orientation: frame.orientation)
        if !continues { forget() }
        try tracker.update(frame.image, orientation: frame.orientation, coverage: coarse.coverage)
        isPriorCurrent = false
        return continues
    }

    /// Computes the mask of the observed frame; valid until the next is.
    func computeMask(_ frame: InputFrame, smoothing: Float) throws(VisionError) -> FloatImage {
        try makeMask(frame.image, orientation: frame.orientation)
        extent = fusion.mask.extent(above: 0.5)
        temporal.smooth(fusion.mask, still: coarse.stillness.grid, strength: smoothing)
        return fusion.mask
    }

    /// Goes on with `mask` as that of the observed frame.
    func adopt(_ mask: FloatImage) { temporal.adopt(mask) }

    private func makeMask(_ image: ImageView, orientation: ImageOrientation) throws(VisionError) {
        try estimatePrior(image, orientation: orientation)
        planner.update(tracker.people, mask: extent)
        if tracker.people.isEmpty {
            mattes.clear()
        } else {
            try mattes.estimate(image, orientation: orientation, &planner)
        }
        fusion.combine(mattes.matte, prior.people, frame: coarse.coverage)
        guard let groups, groups.concerns(tracker.people, prior) else { return }
        try groups.refine(fusion.mask, of: image, orientation: orientation, prior)
        isRefined = true
    }

    func preparePeople() { prior.measuresColors = true }

    func people(of frame: InputFrame) throws(VisionError) -> SegmentedPeople {
        // A mask that moves is had without it.
        if !isPriorCurrent { try estimatePrior(frame.image, orientation: frame.orientation) }
        let people = isRefined ? prior.all : prior.people
        return SegmentedPeople(people: people, count: tracker.count, scene: tracker.scene)
    }

    private func estimatePrior(_ image: ImageView, orientation: ImageOrientation) throws(VisionError) {
        try prior.estimate(image, orientation: orientation, tracker.people)
        (isPriorCurrent, isRefined) = (true, false)
    }

    func reset() {
        coarse.reset()
        forget()
    }

    /// The next frame does not follow the last.
    private func forget() {
        mattes.reset()
        tracker.reset()
        planner.reset()
        extent = nil
        temporal.reset()
    }
}
