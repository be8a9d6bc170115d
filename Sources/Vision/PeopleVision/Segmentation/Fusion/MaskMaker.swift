package import Imaging

/// Makes the masks of frames from their evidence, by the steps of `MaskStep`.
package final class MaskMaker {
    /// The last frame's mask, coverage 0...1.
    package let mask = FloatImage()
    /// The lower bound of the mask, at the size of the plan's prior: what the matte misses of people.
    private let lower = FloatImage()
    private let upperBound: UpperBound
    private let greaterMatte = GreaterMatte()
    private let holes = HoleFilling()
    private let lowerRows = LinearResizer()
    /// The correction of groups; nil without a model for it.
    private let groups: GroupRefinement?
    private let behindHead: BehindHead
    private let faceFloor: FaceFloor
    private let background = BackgroundMemory()
    private let persistence: InteriorPersistence
    private let temporal = TemporalMaskFilter()
    private let softRegions: SoftRegions
    /// The extent of the people, by the last mask before it was smoothed; nil in still images.
    private(set) var extent: Rectangle?

    /// MobileSAM; nil without it.
    private let prompted: DeferredPromptedSegmenter?
    private let stepsOfStreams: [MaskStep]

    /// Creates a maker for the sizes of `plan`, without MobileSAM.
    package convenience init(_ plan: SegmentationPlan) { self.init(plan, nil) }

    /// Creates a maker for the sizes of `plan`.
    init(_ plan: SegmentationPlan, _ prompted: DeferredPromptedSegmenter?) {
        self.prompted = prompted
        lower.resize(width: plan.prior.width, height: plan.prior.height)
        (upperBound, persistence) = (UpperBound(plan), InteriorPersistence(plan.prior))
        softRegions = SoftRegions(plan.prior)
        groups = prompted.map { GroupRefinement(plan, $0) }
        (behindHead, faceFloor) = (BehindHead(plan), FaceFloor(plan))
        stepsOfStreams = MaskStep.ofStreams.filter { !plan.profile.omitted.contains($0) }
    }

    /// Makes `mask` from the evidence of the next frame.
    func make(from evidence: Evidence) throws(VisionError) {
        try make(from: evidence, by: evidence.frame.isStill ? MaskStep.ofStills : stepsOfStreams)
    }

    /// Makes `mask` from the evidence of the next frame by some steps.
    package func make(from evidence: Evidence, by steps: [MaskStep]) throws(VisionError) {
        lower.fill(0)
        for step in steps { try take(step, evidence) }
    }

    /// The people of the last frame, each with coverage corrected by MobileSAM; nil where it corrected none.
    var correctedPeople: ArraySlice<PersonPrior.Person>? { groups?.people }

    /// Uses `mask`, the last one moved along with the image, as the mask of the next frame.
    func adopt(_ mask: FloatImage) { temporal.adopt(mask) }

    /// Moves what is remembered to the next frame, which `matcher` has followed.
    func follow(_ matcher: BlockMatcher) {
        groups?.follow(matcher)
        persistence.follow(matcher.motion)
        temporal.follow(matcher.motion)
        prompted?.finishFrame()
    }

    /// Forgets the scene, as the next frame does not follow the last.
    func reset() {
        groups?.reset()
        background.reset()
        persistence.reset()
        temporal.reset()
        softRegions.reset()
        extent = nil
    }

    /// Clears things behind the head of the only person, of whom no other step has asked MobileSAM.
    private func clearBehindHead(_ evidence: Evidence) throws(VisionError) {
        let faces = evidence.faces.count + evidence.otherFaces.count
        guard !evidence.isGroup, !evidence.isContradictory, evidence.people.count == 1, faces == 1,
            let face = evidence.faces.first ?? evidence.otherFaces.first
        else { return }
        let (frame, prompted) = (evidence.frame, prompted)
        try behindHead.clear(mask, beside: face) { (prompt, isMirrored) throws(VisionError) in
            guard let model = try prompted?.load() else { return nil }
            try model.encode(frame.image, orientation: frame.orientation, mirrored: isMirrored)
            try model.segment(prompt)
            return model.coverage
        }
    }
}

extension MaskMaker {
    /// Takes one step; each changes the mask that the steps before it have made, or the lower bound.
    private func take(_ step: MaskStep, _ evidence: Evidence) throws(VisionError) {
        let (matte, people) = (evidence.comparison.matte, evidence.comparison.people)
        switch step {
        case .matte: mask.copy(evidence.matte)
        case .upperBound: upperBound.lower(mask, people: people, frame: evidence.coarse)
        case .completion: PersonCompletion.raise(lower, evidence, wholly: false)
        case .wholeCompletion: PersonCompletion.raise(lower, evidence, wholly: MaskRule.wholeInStills.isOn)
        case .greaterMatte: greaterMatte.raise(lower, to: evidence.greaterMatte, people: people)
        case .missing:
            evidence.comparison.missing.add(
                to: lower, matte, people: people, history: evidence.history, faces: evidence.faceShares)
        case .holes: holes.raise(lower, inHolesOf: matte, people: people)
        case .lowerBound: mask.raise(to: lower, by: lowerRows)
        case .groups: if evidence.isGroup { try groups?.correct(mask, evidence, .everybody) }
        case .wholeFigures:
            let boxes = evidence.everybody.lazy.map(\.person.box)
            guard evidence.isGroup, GroupChoice.hasWholeFigure(boxes) else { break }
            try groups?.correct(mask, evidence, .everybody)
        case .contradictions: if evidence.isContradictory { try groups?.correct(mask, evidence, .prominent) }
        case .behindHead: try clearBehindHead(evidence)
        case .faceFloor: faceFloor.raise(mask, at: evidence.faces + evidence.otherFaces, people: people)
        case .background: background.apply(to: mask, colors: evidence.colors, coverage: evidence.coarse)
        case .extent: extent = mask.extent(above: 0.5)
        case .persistence: persistence.raise(mask, people: people)
        case .smoothing: temporal.smooth(mask, still: evidence.stillness, strength: evidence.smoothing)
        case .softRegions: softRegions.decide(mask, still: evidence.stillness)
        }
    }
}
