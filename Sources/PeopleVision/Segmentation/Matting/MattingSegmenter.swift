import Imaging

/// Finds people, segments each coarsely, mattes them together, and combines both into one mask.
final class MattingSegmenter: Segmenter {
    private let coarse: CoarseSegmenter
    private let tracker: PersonTracker
    private let prior: PersonPrior
    private let faceFinder: FaceFinder
    private var planner = CropPlanner()
    private let mattes: any MatteSource
    private let fusion: MaskFusion
    /// The correction of groups; nil at quality levels without it.
    private let groups: GroupRefinement?
    /// MobileSAM; nil at quality levels without it.
    private let prompted: DeferredPromptedSegmenter?
    private let behindHead: BehindHead
    private let faceFloor: FaceFloor
    private let history: MaskHistory
    /// The background memory, for single-pass profiles only; the median of several passes already rejects
    /// outliers.
    private let background: BackgroundMemory?
    private let temporal = TemporalMaskFilter()
    private(set) var followsLast = false
    /// The motion of the image since the frame before, along the edges of its mask.
    let motion: BlockMatcher
    /// Brightness for profiles whose passes are spread over frames: they need more exact motion.
    private let brightness = FrameBrightness()
    private let plan: SegmentationPlan
    /// The mask of the frame before; nil where the scene begins.
    private var lastMask: FloatImage?
    /// Whether `prior` shows the last frame.
    private var isPriorCurrent = false
    /// Whether `groups` has corrected the coverage of everybody in the last frame.
    private var isRefined = false
    /// Schedule of the search for small people, when each person's coverage is wanted; nil where it is not.
    private var searchSchedule: PersonSearch.Schedule?
    /// The extent of the last frame's mask.
    private var extent: Rectangle?

    /// Loads the models.
    ///
    /// - Parameter known: matting models that are already loaded for frames of another size.
    init(
        _ plan: SegmentationPlan, _ setup: SegmentationSetup, after known: MattingModels?
    ) throws(VisionError) {
        // These are compiled beside the matting model, which takes longer than all of them.
        let compilations = [
            PersonDetector.compilation(setup.coarse), CoarseModel.square.compilation(setup.coarse),
            plan.coarseModel.compilation(setup.coarse), FaceFinder.compilation(setup.coarse),
        ]
        defer { withExtendedLifetime(compilations) {} }
        let models =
            if let known, known.setup == setup.matting { known } else { try MattingModels(setup.matting) }
        mattes =
            setup.isRecurrent
            ? try RecurrentMatteEstimator(plan, models) : try MatteEstimator(plan, models)
        coarse = try CoarseSegmenter(plan.coarseModel, setup.coarse)
        tracker = try PersonTracker(setup.coarse)
        prior = try PersonPrior(setup.coarse)
        faceFinder = try FaceFinder(plan.prior, setup.coarse)
        fusion = MaskFusion(plan)
        behindHead = BehindHead(plan)
        faceFloor = FaceFloor(plan)
        history = MaskHistory(plan.prior)
        background = plan.profile.passes.count == 1 ? BackgroundMemory() : nil
        self.plan = plan
        motion = BlockMatcher(plan.profile.spread == nil ? .near : .far)
        prompted = plan.profile.groups == nil ? nil : try DeferredPromptedSegmenter(plan.frame, setup.coarse)
        groups = prompted.flatMap { GroupRefinement(plan, $0) }
    }

    func waitForMattingModels() -> MattingModels? { mattes.models }

    func segment(
        _ frame: InputFrame, smoothing: Float, withPeople: Bool
    ) throws(VisionError) -> Segmentation {
        try observe(frame)
        let mask = try computeMask(frame, smoothing: smoothing)
        return try segmentation(of: frame, as: mask, withPeople: withPeople)
    }

    /// Returns the segmentation of the observed frame, whose mask is `mask`.
    func segmentation(
        of frame: InputFrame, as mask: FloatImage, withPeople: Bool
    ) throws(VisionError) -> Segmentation {
        Segmentation(
            mask: mask, people: withPeople ? try people(of: frame) : nil, followsLast: followsLast,
            time: frame.nanoseconds, brightness: needsExactMotion ? brightness.values : nil)
    }

    /// Number of people in the observed frame.
    var peopleCount: Int { tracker.people.count }

    /// Analyses the next frame as a whole, and searches it for people.
    func observe(_ frame: InputFrame) throws(VisionError) {
        followsLast = try coarse.segment(
            frame.image, orientation: frame.orientation, isStill: frame.isStill)
        if !followsLast { forget() }
        try followMotion(to: frame)
        let count = peopleCount
        // Small people of a still image are corrected like those of a group.
        let searchesQuarters = frame.isStill && groups != nil && MaskRule.quarters.isOn
        tracker.searchSchedule = searchesQuarters ? .atOnce : searchSchedule
        try tracker.update(
            frame.image, orientation: frame.orientation, isStill: frame.isStill, coverage: coarse.coverage)
        groups?.follow(motion)
        prompted?.finishFrame()
        history.follow(motion.motion)
        mattes.follow(motion, changed: !followsLast || peopleCount != count)
        isPriorCurrent = false
    }

    /// Whether passes are spread over frames, so that mattes move along with the image.
    private var needsExactMotion: Bool { plan.profile.spread != nil }

    private func followMotion(to frame: InputFrame) throws(VisionError) {
        guard needsExactMotion else { return motion.follow(lastMask, to: coarse.brightness) }
        try brightness.sample(frame, longSide: FrameBrightness.motionSide)
        motion.follow(lastMask, to: brightness.values)
    }

    /// Computes the mask of the observed frame; valid until the next mask is computed.
    func computeMask(_ frame: InputFrame, smoothing: Float) throws(VisionError) -> FloatImage {
        try makeMask(frame)
        if MaskRule.background.isOn {
            background?.apply(to: fusion.mask, colors: coarse.colors, coverage: coarse.coverage)
        }
        extent = fusion.mask.extent(above: 0.5)
        if MaskRule.smoothing.isOn {
            temporal.smooth(fusion.mask, still: coarse.stillness.grid, strength: smoothing)
        }
        history.add(fusion.mask, after: motion.motion)
        lastMask = fusion.mask
        return fusion.mask
    }

    /// Uses `mask` as the mask of the observed frame.
    func adopt(_ mask: FloatImage) {
        temporal.adopt(mask)
        lastMask = mask
    }

    private func makeMask(_ frame: InputFrame) throws(VisionError) {
        try estimatePrior(frame)
        planner.update(tracker.people, mask: extent)
        if tracker.people.isEmpty {
            mattes.clear()
        } else {
            try mattes.estimate(frame.image, orientation: frame.orientation, isStill: frame.isStill, &planner)
        }
        let closesFaces = frame.isStill && MaskRule.faceFloor.isOn
        let prominent = prior.people.lazy.filter(\.isProminent)
        var faces = frame.isStill ? try faceFinder.find(in: frame, prominent) : []
        let missesPiece = fusion.begin(mattes.matte, prior.people, isStill: frame.isStill, faces: faces)
        if closesFaces { faceFloor.begin(fusion.coverage) }
        if missesPiece, !frame.isStill { faces = try faceFinder.find(in: frame, prominent) }
        fusion.combine(
            mattes.matte, greater: mattes.greater, frame: coarse.coverage,
            history: MaskRule.lasting.isOn ? history.current() : nil,
            faces: missesPiece && MaskRule.faces.isOn ? faceFinder.shares(of: faces) : nil)
        if closesFaces {
            faces += try faceFinder.find(in: frame, prior.people.lazy.filter { !$0.isProminent })
        }
        if let scope = groupScope(frame) {
            isRefined = try groups?.refine(fusion.mask, of: frame, prior, scope) ?? false
        } else if frame.isStill, prior.people.count == 1, faces.count == 1 {
            try clearBehindHead(frame, face: faces[0])
        }
        if closesFaces { faceFloor.apply(to: fusion.mask, faces: faces) }
    }

    /// Returns the scope of the correction by MobileSAM; nil for no correction.
    private func groupScope(_ frame: InputFrame) -> RefinementScope? {
        guard MaskRule.groups.isOn else { return nil }
        return groups?.scope(
            tracker.people, prior, isStill: frame.isStill, missesLargePiece: fusion.missesLargePiece)
    }

    private func clearBehindHead(_ frame: InputFrame, face: Rectangle) throws(VisionError) {
        guard MaskRule.behindHead.isOn, let prompt = behindHead.begin(fusion.mask, face: face),
            let model = try prompted?.load()
        else { return }
        for isMirrored in [false, true] {
            try model.encode(frame.image, orientation: frame.orientation, mirrored: isMirrored)
            try model.segment(prompt)
            behindHead.add(model.coverage)
        }
        behindHead.apply(to: fusion.mask)
    }

    func preparePeople(_ search: PersonSearch.Schedule?) {
        prior.measuresColors = true
        searchSchedule = search
    }

    private func people(of frame: InputFrame) throws(VisionError) -> SegmentedPeople {
        // Propagated masks need no prior, so it may be missing.
        if !isPriorCurrent { try estimatePrior(frame) }
        let people = isRefined ? prior.all : prior.people
        return SegmentedPeople(people: people, count: tracker.count, scene: tracker.scene)
    }

    private func estimatePrior(_ frame: InputFrame) throws(VisionError) {
        try prior.estimate(
            frame.image, orientation: frame.orientation, isStill: frame.isStill, tracker.people)
        (isPriorCurrent, isRefined) = (true, false)
    }

    func reset() {
        coarse.reset()
        forget()
    }

    /// Forgets the scene, as the next frame does not follow the last.
    private func forget() {
        mattes.reset()
        groups?.reset()
        history.reset()
        background?.reset()
        tracker.reset()
        planner.reset()
        (extent, lastMask) = (nil, nil)
        temporal.reset()
    }
}
