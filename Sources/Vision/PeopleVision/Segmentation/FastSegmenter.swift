import Imaging

/// Runs one coarse inference per frame, decides doubts by the frame before, fits the mask to the image's edges, clears
/// remembered background, and smooths the mask over time.
///
/// The guided filter's linear functions of brightness are found at half the model's size, which costs a
/// quarter and is as good.
final class FastSegmenter: Segmenter {
    /// Tone curve of the mask: the model's outlines are too soft and lie a little outside the person.
    private static let tone = LinearStep(middle: 0.575, contrast: 2)
    /// Radius of the opening, at half the model's size.
    ///
    /// A region narrower than 2 x radius + 1 values is a pattern of the background more often than a part of
    /// a person.
    private static let opening = 1

    private let plan: SegmentationPlan
    private let setup: SegmentationSetup
    private let coarse: CoarseSegmenter
    private let components = ConnectedComponents()
    private let morphology = MorphologyFilter()
    /// Windows are 3 values wide; a variance of brightness (0...1) of 0.001 is that of sensor noise.
    private let guide = GuidedFilter(radius: 1, flatness: 0.001)
    private let background = BackgroundMemory()
    /// The model's coverage of the last frame, and its parts inside of people.
    private let (last, inside) = (FloatImage(), FloatImage())
    private let temporal = TemporalMaskFilter()
    /// The tracker and prior, loaded when `people` is first called.
    private var finder: (tracker: PersonTracker, prior: PersonPrior)?
    private let mask = FloatImage()
    private let result = FloatImage()
    /// Brightness of the last frame, 0...1, at the model's size.
    var brightness: FloatImage { coarse.brightness }

    init(_ plan: SegmentationPlan, _ setup: SegmentationSetup) throws(VisionError) {
        (self.plan, self.setup) = (plan, setup)
        coarse = try CoarseSegmenter(plan.coarseModel, isHalved: true, setup.coarse)
    }

    func segment(
        _ frame: InputFrame, smoothing: Float, withPeople: Bool
    ) throws(VisionError) -> Segmentation {
        let followsLast = try coarse.segment(frame.image, orientation: frame.orientation)
        if !followsLast { forget() }
        decideDoubts(isFollowing: followsLast && smoothing > 0)
        removeSmallComponents()
        morphology.erode(coarse.coverage, radius: Self.opening)
        morphology.dilate(coarse.coverage, radius: Self.opening)
        guide.refine(
            coarse.coverage, coarse: coarse.halvedBrightness, guide: coarse.brightness, into: mask)
        if MaskRule.background.isOn {
            background.apply(to: mask, colors: coarse.colors, coverage: coarse.coverage)
        }
        temporal.smooth(mask, still: coarse.stillness.grid, strength: smoothing)
        result.copy(mask, tone: Self.tone)
        return Segmentation(
            mask: result, people: withPeople ? try people(of: frame) : nil, followsLast: followsLast,
            time: frame.nanoseconds)
    }

    private func people(of frame: InputFrame) throws(VisionError) -> SegmentedPeople {
        let (image, orientation) = (frame.image, frame.orientation)
        let (tracker, prior) = try loadFinder()
        try tracker.update(image, orientation: orientation, coverage: coarse.coverage)
        try prior.estimate(image, orientation: orientation, tracker.people)
        return SegmentedPeople(people: prior.people, count: tracker.count, scene: tracker.scene)
    }

    func preparePeople(_ search: PersonSearch.Schedule?) throws(VisionError) {
        try loadFinder().tracker.searchSchedule = search
    }

    private func loadFinder() throws(VisionError) -> (tracker: PersonTracker, prior: PersonPrior) {
        if let finder { return finder }
        let tracker = try PersonTracker(setup.coarse)
        let prior = try PersonPrior(setup.coarse)
        prior.measuresColors = true
        finder = (tracker, prior)
        return (tracker, prior)
    }

    func reset() {
        coarse.reset()
        forget()
    }

    private func forget() {
        finder?.tracker.reset()
        temporal.reset()
        background.reset()
    }

    /// Raises doubtful coverage to the last frame's, the more the greater the doubt.
    ///
    /// A doubt does not change the last answer: without this step a head whose coverage falls below that of certain components
    /// vanishes for a frame. The step is for one frame only, as the next frame is compared with the model's own coverage.
    ///
    /// - Parameter isFollowing: whether the frame follows the last one, and masks are smoothed.
    private func decideDoubts(isFollowing: Bool) {
        let coverage = coarse.coverage
        inside.copy(last)
        last.copy(coverage)
        guard isFollowing else { return }
        // Outlines move.
        morphology.erode(inside, radius: tolerance(of: inside))
        let (values, before) = (coverage.base, inside.base)
        for i in 0..<coverage.count {
            let doubt = max(0, 1 - abs(2 * values[i] - 1))
            values[i] += doubt * max(0, before[i] - values[i])
        }
    }

    /// Clears coverage that is far from every component that is certain and large enough.
    private func removeSmallComponents() {
        let coverage = coarse.coverage
        components.find(in: coverage, above: CoverageLimits.certain.low)
        let smallest = CoverageLimits.smallComponents.smallestArea(
            beside: components.largestArea, of: coverage.count)
        components.keep(distance: tolerance(of: coverage), in: coverage) { $0.area >= smallest }
    }

    private func tolerance(of image: FloatImage) -> Int {
        Int(CoverageLimits.outlineTolerance(of: image).rounded())
    }
}
