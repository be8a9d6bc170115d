package import Imaging

/// Combines a matte and a coarse prior into one mask.
///
/// The prior bounds the matte, like a trimap. The upper bound is 0 where no person is near (`UpperBound`). The lower bound is
/// the prior of a person whom the matte has mostly lost (`PersonCompletion`), and regions and holes that the matte misses in
/// other people (`MissingRegions`, `HoleFilling`). Between the bounds the matte is the mask.
package final class MaskFusion {
    /// The last frame's mask, coverage 0...1.
    package let mask = FloatImage()
    /// Whether the last frame's matte misses a piece that the prior is certain of and that is too large to be
    /// filled in.
    package var missesLargePiece: Bool { missing.hasLargePiece }

    /// Coarse coverage of all people, at the size of the plan's prior; valid from `begin` until `combine`.
    package var coverage: FloatImage { upper }

    private let paste = FeatheredPaste()
    private let missing = MissingRegions()
    private let holes = HoleFilling()
    private let upperBound = UpperBound()
    private let person = FloatImage()
    private let smallMatte = FloatImage()
    /// The upper bound; the coarse coverage of all people from `begin` until `combine`.
    private let upper = FloatImage()
    private let lower = FloatImage()
    private let matteRows = LinearResizer()
    private let upperRows = LinearResizer()
    private let lowerRows = LinearResizer()

    /// Creates a fusion for the sizes of `plan`.
    package init(_ plan: SegmentationPlan) {
        for image in [person, smallMatte, upper, lower] {
            image.resize(width: plan.prior.width, height: plan.prior.height)
        }
    }

    /// Takes the next frame's matte and people, for `combine`.
    ///
    /// - Parameters:
    ///   - matte: alpha, at any size.
    ///   - people: coverage of each person.
    ///   - isStill: whether the frame is a still image; see `PersonCompletion`.
    ///   - faces: the squares around the faces of a still image's people, in the upright image's unit square.
    /// - Returns: whether the matte misses a piece, so that faces are needed for the decision.
    package func begin(
        _ matte: FloatImage, _ people: ArraySlice<PersonPrior.Person>, isStill: Bool = false,
        faces: [Rectangle] = []
    ) -> Bool {
        matteRows.resize(matte, into: smallMatte)
        upper.fill(0)
        lower.fill(0)
        for person in people { add(person, isStill: isStill, faces) }
        return missing.find(smallMatte, people: upper)
    }

    /// Combines the coverages of the frame given to `begin`.
    ///
    /// - Parameters:
    ///   - matte: the matte given to `begin`; it becomes the mask's.
    ///   - greater: a second matte, of the same size, which shows at least as much; nil for none. It counts where the prior is
    ///     certain.
    ///   - frame: coarse coverage of the whole frame, at any size.
    ///   - history: the mean of the masks before, at the size of the plan's prior; nil where a scene begins.
    ///   - faces: result of `FaceFinder`, at the size of the plan's prior; nil where no face was searched
    ///     for.
    package func combine(
        _ matte: FloatImage, greater: FloatImage? = nil, frame: FloatImage, history: FloatImage? = nil,
        faces: FloatImage? = nil
    ) {
        if let greater { keep(greater) }
        if MaskRule.missing.isOn {
            missing.add(to: lower, smallMatte, people: upper, history: history, faces: faces)
        }
        holes.raise(lower, inHolesOf: smallMatte, people: upper)
        upperBound.make(from: upper, frame: frame)
        apply(to: matte)
    }

    /// Adds one person to both bounds.
    private func add(_ prior: PersonPrior.Person, isStill: Bool, _ faces: [Rectangle]) {
        person.fill(0)
        let coverage = prior.coverage
        paste.add(
            UnsafeBufferPointer(coverage.values), width: coverage.width, height: coverage.height,
            crop: prior.crop, to: person)
        for y in 0..<upper.height { upper.raise(row: y, to: person.row(y)) }
        PersonCompletion.raise(
            lower, to: person, isProminent: prior.isProminent, isStill: isStill,
            faces: faces.lazy.filter { prior.person.box.contains($0.center) }, matte: smallMatte)
    }

    /// Raises the lower bound to the second matte where the prior is certain.
    private func keep(_ greater: FloatImage) {
        matteRows.begin(greater, width: lower.width, height: lower.height)
        let certain = CoverageLimits.certain
        for y in 0..<lower.height {
            let (floor, alpha, people) = (lower.row(y), matteRows.row(y, of: greater), upper.row(y))
            for x in 0..<lower.width { floor[x] = max(floor[x], min(alpha[x], certain.value(people[x]))) }
        }
    }

    private func apply(to matte: FloatImage) {
        mask.copy(matte)
        upperRows.begin(upper, width: mask.width, height: mask.height)
        lowerRows.begin(lower, width: mask.width, height: mask.height)
        for y in 0..<mask.height {
            if MaskRule.upperBound.isOn { mask.lower(row: y, to: upperRows.row(y, of: upper)) }
            mask.raise(row: y, to: lowerRows.row(y, of: lower))
        }
    }
}

extension FloatImage {
    /// Returns the mean of the values at the places where `isCovered` is true for `coverage`, an image of the
    /// same size.
    ///
    /// - Parameter region: the part that counts; nil for the whole image.
    /// - Returns: nil when there is no such place.
    func mean(
        where coverage: FloatImage, in region: PixelRect? = nil, _ isCovered: (Float) -> Bool
    ) -> Float? {
        let region = region ?? PixelRect(x: 0, y: 0, width: width, height: height)
        var (sum, area) = (Float(0), Float(0))
        for y in region.y..<(region.y + region.height) {
            let (values, covers) = (row(y), coverage.row(y))
            for x in region.x..<(region.x + region.width) where isCovered(covers[x]) {
                sum += values[x]
                area += 1
            }
        }
        return area > 0 ? sum / area : nil
    }
}
