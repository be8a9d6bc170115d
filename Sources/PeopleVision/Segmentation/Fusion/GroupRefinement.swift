import Imaging

/// Corrects masks of groups, of small people, and of still images on which the other models disagree, by what MobileSAM finds in
/// each person's box.
///
/// It looks at key frames only. In between, what it has found there moves along with the image (`KeyFrame`).
final class GroupRefinement {
    private let profile: QualityProfile
    private let groups: QualityProfile.Groups
    private let model: DeferredBoxSegmenter
    private let fusion: GroupFusion
    private let keyFrame: KeyFrame
    private let moved = FloatImage()
    private let frameSize: Size

    /// Finds the models; nil for a level that does without.
    init?(_ plan: SegmentationPlan, _ setup: ModelSetup) throws(VisionError) {
        guard let groups = plan.profile.groups, let fusion = GroupFusion(plan) else { return nil }
        (profile, self.groups, self.fusion, frameSize) = (plan.profile, groups, fusion, plan.frame)
        model = try DeferredBoxSegmenter(plan.frame, setup)
        keyFrame = KeyFrame(groups.keyFrames)
    }

    /// Which of `people`, the tallest first, are to be corrected in an image; nil for none.
    ///
    /// - Parameters:
    ///   - isStill: whether it is a still image.
    ///   - missesLargePiece: whether the matte misses a large piece of which the coarse coverage is certain.
    func scope(
        _ people: [TrackedPerson], _ prior: PersonPrior, isStill: Bool, missesLargePiece: Bool
    ) -> RefinementScope? {
        guard !groups.needsStill || isStill else { return nil }
        if profile.areGroupOrSmall(people, certain: prior.people.lazy.map(\.person)) { return .everybody }
        guard isStill, missesLargePiece, let tallest = people.first else { return nil }
        return tallest.box.isWiderThanHigh(in: frameSize) ? nil : .prominent
    }

    /// Moves what was found in the last key frame on to the next frame, which `matcher` has followed.
    func follow(_ matcher: BlockMatcher) { keyFrame.follow(matcher) }

    /// The next frame does not follow the last.
    func reset() { keyFrame.reset() }

    /// Corrects `mask` and the coverage of each person of `prior`.
    ///
    /// Detections whose coarse coverage is uncertain may be no people: where there are certain ones, they need a trace in
    /// the mask.
    ///
    /// - Parameter faces: as in `MaskFusion`.
    /// - Returns: whether everybody's coverage was corrected; nothing is while the models are still being compiled.
    func refine(
        _ mask: FloatImage, of frame: InputFrame, _ prior: PersonPrior, _ scope: RefinementScope,
        faces: FloatImage?, isStill: Bool
    ) throws(VisionError) -> Bool {
        guard let tallest = prior.all.lazy.map(\.person.box).max(by: { $0.height < $1.height }),
            let model = try model.load()
        else { return false }
        let isOfGroup = { (person: PersonPrior.Person) in
            self.profile.isOfGroup(person.person.box, tallest: tallest)
        }
        let isCorrected = { scope == .everybody || isOfGroup($0) }
        if !keyFrame.holds(prior.all.lazy.map(\.person.box), at: frame.time) {
            try renew(frame, prior.all.lazy.filter(isCorrected), model)
        }
        fusion.begin(mask, faces: faces)
        for index in prior.all.indices {
            let person = prior.all[index]
            guard isCorrected(person) else {
                fusion.keep(person)
                continue
            }
            keyFrame.write(person.person.box, into: moved, orWhereLost: mask)
            let isCertain = prior.people.isEmpty || prior.people.indices.contains(index)
            fusion.correct(
                person, by: moved, isOfGroup: isCertain && isOfGroup(person), isStill: isStill)
        }
        fusion.apply(to: mask)
        return scope == .everybody
    }

    /// Lets the model look at `people` in a key frame.
    private func renew(
        _ frame: InputFrame, _ people: some Sequence<PersonPrior.Person>, _ model: BoxSegmenter
    ) throws(VisionError) {
        keyFrame.reset()
        try model.encode(frame.image, orientation: frame.orientation)
        for person in people {
            try model.segment(person.person.box)
            keyFrame.add(model.coverage, of: person.person.box)
        }
        keyFrame.begin(at: frame.time)
    }
}

/// Which people `GroupRefinement` corrects.
enum RefinementScope {
    case everybody
    /// People who are nearly as tall as the tallest; the mask stays as it is where others are.
    case prominent
}

extension Rectangle {
    /// Whether it is wider than high in upright frames of the size `frame`, as the box of a head with its shoulders is: of
    /// these the matting model is right where the coarse one disagrees.
    package func isWiderThanHigh(in frame: Size) -> Bool {
        let size = size(in: frame)
        return size.width > size.height
    }
}

extension QualityProfile {
    /// Whether `people`, the tallest first, are a group or one small person.
    ///
    /// - Parameter certain: those of them who may be one of a group.
    package func areGroupOrSmall(_ people: [TrackedPerson], certain: some Sequence<TrackedPerson>) -> Bool {
        guard let groups, let tallest = people.first, tallest.isDetected else { return false }
        let height = tallest.box.height
        if height < groups.prominence.share || height < groups.whole && isWhole(tallest.box) { return true }
        var count = 0
        for person in certain where isOfGroup(person.box, tallest: tallest.box) { count += 1 }
        return count > 1
    }

    /// Whether someone in `box` is one of the group of the person in `tallest`: nearly as tall, and not a passer-by behind a
    /// whole figure that fills the frame.
    func isOfGroup(_ box: Rectangle, tallest: Rectangle) -> Bool {
        guard let groups, groups.prominence.includes(box, tallest: tallest.height) else { return false }
        let isPosed = tallest.height >= groups.whole && isWhole(tallest)
        return !isPosed || box.y + box.height >= tallest.y + tallest.height - groups.depth
    }

    /// Whether the frame does not cut a person's legs off.
    func isWhole(_ box: Rectangle) -> Bool {
        guard let groups else { return false }
        return box.y + box.height < 1 - groups.ground
    }
}
