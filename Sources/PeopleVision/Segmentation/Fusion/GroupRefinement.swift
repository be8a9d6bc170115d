import Imaging

// Evidence of `groups`: without it, 36 photos of COCO: IoU -97.4 [-144.0 -57.5], MAE +19.56; mirrored -98.3 [-144.7 -54.9].
// 2026-11-27, `Tests/evaluate ablate`, `balanced`.

/// Corrects masks of groups, of small people, and of still images on which the other models disagree, by
/// MobileSAM's coverage of each person's box.
///
/// MobileSAM runs on key frames only. In between, its coverage moves along with the image (`KeyFrame`).
final class GroupRefinement {
    private let images: QualityProfile.CorrectedImages
    private let model: DeferredPromptedSegmenter
    private let fusion: GroupFusion
    private let keyFrame = KeyFrame()
    private let moved = FloatImage()
    private let frameSize: Size

    /// Creates a correction by `model`; nil for a quality level without groups.
    init?(_ plan: SegmentationPlan, _ model: DeferredPromptedSegmenter) {
        guard let images = plan.profile.groups else { return nil }
        (self.images, self.model) = (images, model)
        (fusion, frameSize) = (GroupFusion(plan), plan.frame)
    }

    /// Returns the scope of the correction of an image; nil for no correction.
    ///
    /// - Parameters:
    ///   - people: the people, tallest first.
    ///   - isStill: whether the image is a still image.
    ///   - missesLargePiece: whether the matte misses a large piece of which the coarse coverage is certain.
    func scope(
        _ people: [TrackedPerson], _ prior: PersonPrior, isStill: Bool, missesLargePiece: Bool
    ) -> RefinementScope? {
        guard isStill || images == .all else { return nil }
        if GroupChoice.areGroupOrSmall(people, certain: prior.people.lazy.map(\.person)) { return .everybody }
        let contradicts =
            isStill && GroupChoice.hasContradiction(people, in: frameSize, missesLargePiece: missesLargePiece)
        return contradicts ? .prominent : nil
    }

    /// Moves the last key frame's coverage to the next frame, which `matcher` has followed.
    func follow(_ matcher: BlockMatcher) { keyFrame.follow(matcher) }

    /// Forgets the key frame, as the next frame does not follow the last.
    func reset() { keyFrame.reset() }

    /// Corrects `mask` and the coverage of each person of `prior`.
    ///
    /// - Returns: whether everybody's coverage was corrected; false while the models are being compiled.
    func refine(
        _ mask: FloatImage, of frame: InputFrame, _ prior: PersonPrior, _ scope: RefinementScope
    ) throws(VisionError) -> Bool {
        guard let tallest = prior.all.lazy.map(\.person.box).max(by: { $0.height < $1.height }),
            let model = try model.load()
        else { return false }
        let isCorrected = { (person: PersonPrior.Person) in
            scope == .everybody || GroupChoice.isOfGroup(person.person.box, tallest: tallest)
        }
        let boxes = prior.all.lazy.map(\.person.box)
        if !MaskRule.keyFrames.isOn || !keyFrame.holds(boxes, at: frame.nanoseconds) {
            try renew(frame, prior.all.lazy.filter(isCorrected), model)
        }
        fusion.begin(mask)
        for index in prior.all.indices {
            let person = prior.all[index]
            guard isCorrected(person) else {
                fusion.keep(person)
                continue
            }
            keyFrame.write(person.person.box, into: moved, orWhereLost: mask)
            fusion.correct(person, by: moved)
        }
        fusion.apply(to: mask)
        return scope == .everybody
    }

    /// Runs the model on `people` in a key frame.
    private func renew(
        _ frame: InputFrame, _ people: some Sequence<PersonPrior.Person>, _ model: PromptedSegmenter
    ) throws(VisionError) {
        keyFrame.reset()
        try model.encode(frame.image, orientation: frame.orientation)
        for person in people {
            try model.segment(.box(person.person.box))
            keyFrame.add(model.coverage, of: person.person.box, at: frame.nanoseconds)
        }
        keyFrame.begin()
    }
}

/// The people whom `GroupRefinement` corrects.
enum RefinementScope {
    case everybody
    /// People who are nearly as tall as the tallest; the mask is kept at other people.
    case prominent
}
