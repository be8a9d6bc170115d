import Imaging

/// Corrects masks of groups, of small people, and of still images on which the other models disagree, by
/// MobileSAM's coverage of each person's box.
///
/// MobileSAM runs on key frames only. In between, its coverage moves along with the image (`KeyFrame`).
final class GroupRefinement {
    private let model: DeferredPromptedSegmenter
    private let fusion: GroupFusion
    private let keyFrame = KeyFrame()
    private let moved = FloatImage()
    /// People with corrected coverage, kept from frame to frame to reuse their memory.
    private var corrected: [PersonPrior.Person] = []
    /// The people of the last frame, with corrected coverage; nil where nobody was corrected.
    ///
    /// People whose coarse coverage is uncertain are among them only if everybody was corrected.
    private(set) var people: ArraySlice<PersonPrior.Person>?

    /// Creates a correction by `model`.
    init(_ plan: SegmentationPlan, _ model: DeferredPromptedSegmenter) {
        (self.model, fusion) = (model, GroupFusion(plan))
    }

    /// Moves the last key frame's coverage to the next frame, which `matcher` has followed.
    func follow(_ matcher: BlockMatcher) {
        people = nil
        keyFrame.follow(matcher)
    }

    /// Forgets the key frame, as the next frame does not follow the last.
    func reset() { keyFrame.reset() }

    /// Corrects `mask` and, in `people`, the coverage of each person; nothing while the models are being compiled.
    func correct(
        _ mask: FloatImage, _ evidence: Evidence, _ scope: RefinementScope
    ) throws(VisionError) {
        let everybody = evidence.everybody
        guard let tallest = everybody.lazy.map(\.person.box).max(by: { $0.height < $1.height }),
            let model = try model.load()
        else { return }
        let isCorrected = { (person: PersonPrior.Person) in
            scope == .everybody || GroupChoice.isOfGroup(person.person.box, tallest: tallest)
        }
        let time = evidence.frame.nanoseconds
        if !MaskRule.keyFrames.isOn || !keyFrame.holds(everybody.lazy.map(\.person.box), at: time) {
            try renew(evidence.frame, everybody.lazy.filter(isCorrected), model)
        }
        copy(everybody)
        fusion.correct(mask, corrected[..<everybody.count]) { person in
            guard isCorrected(person) else { return nil }
            keyFrame.write(person.person.box, into: moved, orWhereLost: mask)
            return moved
        }
        people = corrected[..<(scope == .everybody ? everybody : evidence.people).count]
    }

    private func copy(_ people: ArraySlice<PersonPrior.Person>) {
        // The last frame's people share the memory.
        self.people = nil
        for (index, person) in people.enumerated() {
            if index == corrected.count { corrected.append(PersonPrior.Person()) }
            corrected[index].copy(person)
        }
    }

    /// Runs the model on `people` in a key frame.
    private func renew(
        _ frame: InputFrame, _ people: some Sequence<PersonPrior.Person>, _ model: PromptedSegmenter
    ) throws(VisionError) {
        try model.encode(frame.image, orientation: frame.orientation)
        let boxes = people.lazy.map(\.person.box)
        try keyFrame.replace(by: boxes, at: frame.nanoseconds) { (box) throws(VisionError) in
            try model.segment(.box(box))
            return model.coverage
        }
    }
}

/// The people whom `GroupRefinement` corrects.
enum RefinementScope {
    case everybody
    /// People who are nearly as tall as the tallest; the mask is kept at other people.
    case prominent
}
