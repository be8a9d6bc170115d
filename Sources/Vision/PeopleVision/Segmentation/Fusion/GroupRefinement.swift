package import Imaging

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

/// Chooses the people whose coverage MobileSAM corrects.
///
/// MobileSAM is better than MODNet on groups and on whole figures that fill little of the frame, and
/// worse on portraits, where it takes patterns behind a head for hair (error 5 to 23 on 20 portraits).
/// Chosen on everyday photos, with portraits and street photos kept as they are.
package enum GroupChoice {
    /// Prominence of a member of a group.
    ///
    /// Passers-by in the background of street photos are mostly lower. 0.3 gains 0.004 of IoU on large
    /// everyday people, and concerns 27 of 101 street photos instead of 8.
    private static let prominence = Prominence(share: 0.5)
    /// Height up to which a single person counts as small where the frame does not cut the legs off, as a
    /// share of the frame's.
    ///
    /// Portraits are cut, and models of street photos are taller.
    private static let whole = 0.8
    /// Maximum distance of a group member's feet above those of a whole figure taller than `whole`, as a
    /// share of the frame's height.
    ///
    /// People farther up are passers-by behind a model.
    private static let depth = 0.1

    /// Whether `people`, tallest first, are a group or one small person whose legs are not cut off.
    ///
    /// - Parameters:
    ///   - certain: the people who may be members of a group.
    ///   - faces: the squares around known faces, in the upright frame's unit square.
    package static func areGroupOrSmall(
        _ people: [TrackedPerson], certain: some Sequence<TrackedPerson>, faces: [Rectangle] = []
    ) -> Bool {
        guard let tallest = people.first, tallest.isDetected else { return false }
        if MaskRule.smallFigure.isOn, tallest.box.height < whole, !tallest.box.isCutOffBelow,
            !isHead(tallest.box, among: faces)
        {
            return true
        }
        guard MaskRule.several.isOn else { return false }
        var count = 0
        for person in certain where isOfGroup(person.box, tallest: tallest.box) { count += 1 }
        return count > 1
    }

    /// Whether the person in `box` is in one group with the person in `tallest`.
    ///
    /// Such a person is nearly as tall, and not a passer-by behind a whole figure that fills the
    /// frame.
    static func isOfGroup(_ box: Rectangle, tallest: Rectangle) -> Bool {
        guard prominence.includes(box, tallest: tallest.height) else { return false }
        let isPosed = MaskRule.passersBy.isOn && tallest.height >= whole && !tallest.isCutOffBelow
        return !isPosed || box.y + box.height >= tallest.y + tallest.height - depth
    }

    /// Whether the frame does not cut off the legs of some member of a group.
    ///
    /// The matting model was trained on people who are cut off. On made-up clips of two or three portraits MobileSAM adds things
    /// behind them: MAE 8.7 without it, 21.7 with it. On those of whole figures it is 10.5 and 8.0.
    ///
    /// - Parameter boxes: the boxes of all people.
    package static func hasWholeFigure(_ boxes: some Sequence<Rectangle>) -> Bool {
        guard MaskRule.wholeFigures.isOn else { return true }
        let tallest = boxes.max { $0.height < $1.height } ?? .unit
        return boxes.contains { !$0.isCutOffBelow && isOfGroup($0, tallest: tallest) }
    }

    /// Whether the models contradict each other in a still image of `people`, tallest first, of the size `frame`.
    ///
    /// - Parameter missesLargePiece: whether the matte misses a large piece of which the coarse coverage is certain.
    package static func hasContradiction(
        _ people: [TrackedPerson], in frame: Size, missesLargePiece: Bool
    ) -> Bool {
        guard MaskRule.contradiction.isOn, missesLargePiece, let tallest = people.first else { return false }
        return !tallest.box.isWiderThanHigh(in: frame) || !MaskRule.headAndShoulders.isOn
    }

    /// Whether a person's box is that of a head: a face is a large part of it.
    ///
    /// A detector's box may end at the neck, far from the end of the frame. MobileSAM then shows the hair or the face of a man
    /// whose body is seen. The faces of whole figures are an eighth of them, those of infants a quarter.
    private static func isHead(_ box: Rectangle, among faces: [Rectangle]) -> Bool {
        faces.contains {
            box.contains($0.center) && $0.height > CoverageLimits.minimumPart * box.height
        }
    }
}

extension Rectangle {
    /// Whether the rectangle is wider than high in upright frames of the size `frame`, as the box of a head
    /// with its shoulders is.
    ///
    /// In such boxes the matting model is right where the coarse model disagrees.
    fileprivate func isWiderThanHigh(in frame: Size) -> Bool {
        let size = size(in: frame)
        return size.width > size.height
    }
}

/// Combines a mask and the coverage of each person by another model.
///
/// The other model has the better regions, the mask the better edges: the mask stays around each place where
/// both mostly agree.
package final class GroupFusion {
    /// Minimum share of a person's crop on which the coarse coverage and the matte agree, to outvote
    /// another coverage.
    ///
    /// The outvoted coverage misses most of the agreed one: a head without its body. Worth 0.011 of IoU
    /// on large everyday people.
    private static let minimumAgreed: Float = 0.14

    private let crops = CropResizer()
    private let paste = FeatheredPaste()
    private let box = BoxMean()
    private let rows = LinearResizer()
    private let peopleRows = LinearResizer()
    private let trustRows = LinearResizer()
    /// The mask at the size at which coverages are compared.
    private let smallMask = FloatImage()
    /// The other model's people, of the same size.
    private let people = FloatImage()
    private let difference = FloatImage()
    /// The mask where it is trusted, elsewhere the other model's people.
    private let combined = FloatImage()
    private let trust = FloatImage()
    private let missing = MissingRegions()
    /// The coverage on which the mask and the people's coarse coverage agree.
    private let agreed = FloatImage()
    /// The part of `agreed` that the mask keeps although the other model assigns it to no person.
    private let kept = FloatImage()
    private let keptRows = LinearResizer()
    /// A person's crop of the mask, and of the other model's coverage.
    private let matte = FloatImage()
    private let shown = FloatImage()
    /// The coverage on which the mask and the person's coarse coverage agree, in the crop.
    private let both = FloatImage()

    /// Creates a fusion for the sizes of `plan`.
    package init(_ plan: SegmentationPlan) {
        for image in [smallMask, people, difference, combined, trust, agreed, kept] {
            image.resize(width: plan.prior.width, height: plan.prior.height)
        }
    }

    /// Corrects a mask and the coverage of people by the other model.
    ///
    /// - Parameter coverage: returns the other model's coverage of the whole frame by a person, of any size; nil where the mask
    ///   and the coverage of the person are kept.
    package func correct(
        _ mask: FloatImage, _ people: some Sequence<PersonPrior.Person>,
        by coverage: (PersonPrior.Person) -> FloatImage?
    ) {
        rows.resize(mask, into: smallMask)
        self.people.fill(0)
        agreed.fill(0)
        for person in people {
            if let object = coverage(person) { correct(person, by: object) } else { keep(person) }
        }
        apply(to: mask)
    }

    /// Replaces the coverage of `person` by that of the other model, except for parts that the other model
    /// has lost.
    ///
    /// - Parameter object: coverage of the whole frame, of any size.
    private func correct(_ person: PersonPrior.Person, by object: FloatImage) {
        let coverage = person.coverage
        cropMask(to: person)
        shown.resize(width: coverage.width, height: coverage.height)
        crops.resize(person.crop, of: object, into: shown)
        if MaskRule.sharpFigure.isOn { shown.apply(CoverageLimits.figure) }
        both.copy(coverage)
        for y in 0..<both.height { both.lower(row: y, to: matte.row(y)) }
        if MaskRule.outvoting.isOn, keptShare() < Float(CoverageLimits.minimumPart) { raiseToAgreed() }
        coverage.copy(shown)
        add(shown, of: person, to: people)
    }

    /// Keeps the mask's coverage of `person`.
    private func keep(_ person: PersonPrior.Person) {
        cropMask(to: person)
        add(matte, of: person, to: people)
    }

    /// Fills `matte` with the mask's crop of `person`, and adds the person's coarse coverage to `agreed`.
    private func cropMask(to person: PersonPrior.Person) {
        let coverage = person.coverage
        matte.resize(width: coverage.width, height: coverage.height)
        crops.resize(person.crop, of: smallMask, into: matte)
        add(coverage, of: person, to: agreed)
    }

    private func add(_ coverage: FloatImage, of person: PersonPrior.Person, to image: FloatImage) {
        paste.add(
            UnsafeBufferPointer(coverage.values), width: coverage.width, height: coverage.height,
            crop: person.crop, to: image)
    }

    /// Combines `mask` with the people's coverage.
    private func apply(to mask: FloatImage) {
        let (target, mine, others, count) = (difference.base, smallMask.base, people.base, smallMask.count)
        for i in 0..<count { target[i] = abs(mine[i] - others[i]) }
        let radius = Int(CoverageLimits.outlineTolerance(of: smallMask).rounded())
        box.apply(
            difference.base, width: smallMask.width, height: smallMask.height, radius: max(1, radius),
            into: trust.base)
        let doubt = CoverageLimits.possible
        for i in 0..<count { trust.base[i] = 1 - doubt.value(trust.base[i]) }
        if !MaskRule.agreement.isOn { trust.fill(0) }
        findKept()
        peopleRows.begin(people, width: mask.width, height: mask.height)
        trustRows.begin(trust, width: mask.width, height: mask.height)
        keptRows.begin(kept, width: mask.width, height: mask.height)
        for y in 0..<mask.height {
            let (row, people) = (mask.row(y), peopleRows.row(y, of: people))
            let (trust, kept) = (trustRows.row(y, of: trust), keptRows.row(y, of: kept))
            for x in 0..<mask.width {
                row[x] = max(people[x] + trust[x] * (row[x] - people[x]), min(row[x], kept[x]))
            }
        }
    }

    /// Finds the holes that the other model would open between people.
    ///
    /// They lie in clothes or faces that it assigns to no person, though mask and coarse coverage are certain
    /// there.
    private func findKept() {
        let (result, mine, others, trust) = (combined.base, smallMask.base, people.base, trust.base)
        for i in 0..<smallMask.count {
            agreed.base[i] = min(agreed.base[i], mine[i])
            result[i] = others[i] + trust[i] * (mine[i] - others[i])
        }
        kept.fill(0)
        guard MaskRule.closedHoles.isOn else { return }
        missing.find(in: combined, people: agreed)
        missing.add(to: kept, combined, people: agreed)
    }

    /// Returns the share of the agreed coverage that `shown` keeps; 1 where too little is agreed on to tell.
    private func keptShare() -> Float {
        var (agreed, kept) = (Float(0), Float(0))
        for i in 0..<both.count {
            agreed += both.base[i]
            kept += min(both.base[i], shown.base[i])
        }
        return agreed > Self.minimumAgreed * Float(both.count) ? kept / agreed : 1
    }

    private func raiseToAgreed() {
        for y in 0..<both.height { shown.raise(row: y, to: both.row(y)) }
    }
}
