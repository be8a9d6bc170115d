package import Imaging

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
