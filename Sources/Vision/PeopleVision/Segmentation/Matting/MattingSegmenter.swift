import Imaging

/// Finds people, segments each coarsely, mattes them together, and combines both into one mask.
final class MattingSegmenter: Segmenter {
    private let coarse: CoarseSegmenter
    private let tracker: PersonTracker
    private let prior: PersonPrior
    private let faceFinder: FaceFinder
    private var planner = CropPlanner()
    private let mattes: any MatteSource
    private let comparison: MatteComparison
    private let maker: MaskMaker
    private let history: MaskHistory
    private(set) var followsLast = false
    /// Whether the mirror image of the observed frame is analysed, too.
    private var usesMirrorImage = false
    /// The motion of the image since the frame before, along the edges of its mask.
    let motion = BlockMatcher(.far)
    /// The brightness that motion is found in.
    private let brightness = FrameBrightness()
    private let plan: SegmentationPlan
    /// The mask of the frame before; nil where the scene begins.
    private var lastMask: FloatImage?
    /// Whether `prior` shows the last frame.
    private var isPriorCurrent = false
    /// Schedule of the search for small people, when each person's coverage is wanted; nil where it is not.
    private var searchSchedule: PersonSearch.Schedule?

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
        comparison = MatteComparison(plan)
        maker = MaskMaker(plan, try DeferredPromptedSegmenter(plan.frame, setup.coarse))
        history = MaskHistory(plan.prior)
        self.plan = plan
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
            time: frame.nanoseconds, brightness: brightness.values)
    }

    /// Number of people in the observed frame.
    var peopleCount: Int { tracker.people.count }

    /// Analyses the next frame as a whole, and searches it for people.
    func observe(_ frame: InputFrame) throws(VisionError) {
        usesMirrorImage = frame.isStill && MaskRule.mirrorImage.isOn
        followsLast = try coarse.segment(
            frame.image, orientation: frame.orientation, andMirrorImage: usesMirrorImage)
        if !followsLast { forget() }
        try brightness.sample(frame, longSide: FrameBrightness.motionSide)
        motion.follow(lastMask, to: brightness.values)
        let count = peopleCount
        // Small people of a still image are corrected like those of a group.
        let searchesQuarters = frame.isStill && MaskRule.quarters.isOn
        tracker.searchSchedule = searchesQuarters ? .atOnce : searchSchedule
        try tracker.update(
            frame.image, orientation: frame.orientation, andMirrorImage: usesMirrorImage,
            coverage: coarse.coverage)
        if frame.isStill, DoubtfulPeople.areAmong(tracker.people) {
            let faces = try faceFinder.find(in: frame, tracker.people.lazy.map(\.box))
            tracker.leaveOutDoubtfulPeople(without: faces)
        }
        maker.follow(motion)
        history.follow(motion.motion)
        mattes.follow(motion, changed: !followsLast || peopleCount != count)
        isPriorCurrent = false
    }

    /// Computes the mask of the observed frame; valid until the next mask is computed.
    func computeMask(_ frame: InputFrame, smoothing: Float) throws(VisionError) -> FloatImage {
        try maker.make(from: try evidence(of: frame, smoothing: smoothing))
        history.add(maker.mask, after: motion.motion)
        lastMask = maker.mask
        return maker.mask
    }

    /// Uses `mask` as the mask of the observed frame.
    func adopt(_ mask: FloatImage) {
        maker.adopt(mask)
        lastMask = mask
    }

    /// Gathers what is known of the observed frame.
    private func evidence(of frame: InputFrame, smoothing: Float) throws(VisionError) -> Evidence {
        try estimatePrior(frame)
        try estimateMattes(frame)
        comparison.update(mattes.matte, prior.people)
        try addLostPerson(frame)
        var evidence = Evidence(
            of: frame, matte: mattes.matte, coarse: coarse.coverage, people: prior.people,
            everybody: prior.all, comparison: comparison, colors: coarse.colors,
            stillness: coarse.stillness.grid, smoothing: smoothing)
        evidence.greaterMatte = mattes.greater
        evidence.history = MaskRule.lasting.isOn ? history.current() : nil
        try findFaces(&evidence)
        evidence.isGroup = GroupChoice.areGroupOrSmall(
            tracker.people, certain: prior.people.lazy.map(\.person),
            // Faces of streams are known in some frames only.
            faces: frame.isStill ? evidence.faces : [])
        guard frame.isStill else { return evidence }
        evidence.otherFaces = try faceFinder.find(
            in: frame, evidence.people.lazy.filter { !$0.isProminent }.map(\.person.box))
        guard !evidence.isGroup else { return evidence }
        evidence.isContradictory = GroupChoice.hasContradiction(
            tracker.people, in: plan.frame, missesLargePiece: comparison.missing.hasLargePiece)
        return evidence
    }

    private func estimateMattes(_ frame: InputFrame) throws(VisionError) {
        planner.update(tracker.people, mask: maker.extent)
        guard !tracker.people.isEmpty else { return mattes.clear() }
        try mattes.estimate(
            frame.image, orientation: frame.orientation, andMirrorImage: usesMirrorImage, &planner)
    }

    /// Adds to the matte of a stream's frame the person of whom it shows least, matted alone.
    private func addLostPerson(_ frame: InputFrame) throws(VisionError) {
        guard MaskRule.lostPerson.isOn, !frame.isStill, let lost = comparison.lostPerson(of: prior.people),
            let crop = planner.crop(around: lost),
            try mattes.add(crop, of: frame.image, orientation: frame.orientation)
        else { return }
        comparison.update(mattes.matte, prior.people)
    }

    /// Adds the prominent people's faces, in still images and in frames of which the matte misses a piece.
    private func findFaces(_ evidence: inout Evidence) throws(VisionError) {
        let (frame, missesPiece) = (evidence.frame, !comparison.missing.isEmpty)
        guard frame.isStill || missesPiece else { return }
        evidence.faces = try faceFinder.find(
            in: frame, evidence.people.lazy.filter(\.isProminent).map(\.person.box))
        if missesPiece, MaskRule.faces.isOn { evidence.faceShares = faceFinder.shares(of: evidence.faces) }
    }

    func preparePeople(_ search: PersonSearch.Schedule?) {
        prior.measuresColors = true
        searchSchedule = search
    }

    private func people(of frame: InputFrame) throws(VisionError) -> SegmentedPeople {
        // Propagated masks need no prior, so it may be missing.
        if !isPriorCurrent { try estimatePrior(frame) }
        let people = maker.correctedPeople ?? prior.people
        return SegmentedPeople(people: people, count: tracker.count, scene: tracker.scene)
    }

    private func estimatePrior(_ frame: InputFrame) throws(VisionError) {
        try prior.estimate(
            frame.image, orientation: frame.orientation, andMirrorImage: usesMirrorImage, tracker.people)
        isPriorCurrent = true
    }

    func reset() {
        coarse.reset()
        forget()
    }

    /// Forgets the scene, as the next frame does not follow the last.
    private func forget() {
        mattes.reset()
        maker.reset()
        history.reset()
        tracker.reset()
        planner.reset()
        lastMask = nil
    }
}
