package import Imaging

/// The upper bound of a mask, which is 0 where no person is near.
///
/// MODNet also mattes chairs, statues and patterns on walls.
final class UpperBound {
    /// The bound, at the size of the plan's prior.
    private let bound = FloatImage()
    private let morphology = MorphologyFilter()
    private let frameRows = LinearResizer()
    private let boundRows = LinearResizer()

    /// Creates a bound for the sizes of `plan`.
    init(_ plan: SegmentationPlan) { bound.resize(width: plan.prior.width, height: plan.prior.height) }

    /// Lowers `mask` to the bound: people, and certain coverage of the whole frame, grown by the tolerance of outlines.
    ///
    /// - Parameters:
    ///   - people: coarse coverage of all people, at the size of the plan's prior.
    ///   - frame: coarse coverage of the whole frame, at any size. Without it hair that reaches beyond a person's box is cut along
    ///     the box.
    func lower(_ mask: FloatImage, people: FloatImage, frame: FloatImage) {
        let (possible, certain) = (CoverageLimits.possible, CoverageLimits.certain)
        let usesFrame = MaskRule.upperFrame.isOn
        frameRows.begin(frame, width: bound.width, height: bound.height)
        for y in 0..<bound.height {
            let (row, own, whole) = (bound.row(y), people.row(y), frameRows.row(y, of: frame))
            for x in 0..<bound.width {
                row[x] = possible.value(max(own[x], usesFrame ? certain.value(whole[x]) : 0))
            }
        }
        if MaskRule.upperTolerance.isOn {
            morphology.dilate(bound, radius: Int(CoverageLimits.outlineTolerance(of: bound)))
        }
        mask.lower(to: bound, by: boundRows)
    }
}

/// Completes people whom the matte has mostly lost, by their coarse coverage.
///
/// MODNet was trained on portraits; it loses people in groups and those who sit or bend. It rarely loses the body of a face that
/// it shows: there the coarse coverage has something behind the person, too.
enum PersonCompletion {
    /// Share of a person in the matte: below the first value the coarse coverage completes it wholly, above
    /// the second not at all.
    private static let shareInMatte = LinearStep(from: 0.5, to: 0.65)
    /// Share of a person who is not prominent in the matte, as in `shareInMatte`: the matte must have a trace of
    /// the person.
    ///
    /// A wider step, 0.1 to 0.4, adds 1.2 to the error on everyday photos.
    private static let trace = LinearStep(from: 0.1, to: 0.2)

    /// Raises `floor`, of the size of the plan's prior, to the coverage of the people whom the matte has lost.
    ///
    /// - Parameter wholly: whether people are completed wholly or not at all. In still images nobody is then partially
    ///   transparent; in a video such a person would appear from one frame to the next.
    static func raise(_ floor: FloatImage, _ evidence: Evidence, wholly: Bool) {
        for (person, coverage) in zip(evidence.people, evidence.comparison.each) {
            // A stream's faces are known in some frames only.
            let faces = wholly ? evidence.faces.lazy.filter { person.person.box.contains($0.center) } : nil
            let share = lostShare(
                of: coverage, isProminent: person.isProminent, faces, evidence.comparison.matte)
            raise(floor, to: coverage, weight: wholly ? share.rounded() : share)
        }
    }

    /// Raises `floor` to the coverage of a person whom the matte has lost to the degree `weight`.
    private static func raise(_ floor: FloatImage, to person: FloatImage, weight: Float) {
        guard weight > 0 else { return }
        let (values, target, count) = (person.base, floor.base, floor.count)
        for i in 0..<count { target[i] = max(target[i], weight * values[i]) }
    }

    /// Returns the degree to which the coverage of `person` must complete the matte, 0...1.
    private static func lostShare(
        of person: FloatImage, isProminent: Bool, _ faces: (some Sequence<Rectangle>)?, _ matte: FloatImage
    ) -> Float {
        guard let share = matte.mean(overPerson: person) else { return 0 }
        let shown = MaskRule.shownFace.isOn ? faces?.lazy.map { matte.mean(inCircleOf: $0) }.max() : nil
        let lost = 1 - shareInMatte.value(max(share, shown ?? 0))
        return isProminent || !MaskRule.trace.isOn ? lost : lost * trace.value(share)
    }
}

extension FloatImage {
    /// Returns the mean of the values within the outline of a person.
    ///
    /// - Parameters:
    ///   - coverage: coarse coverage by the person, of the same size.
    ///   - region: the part that counts; nil for the whole image.
    /// - Returns: nil when there is no such place.
    func mean(overPerson coverage: FloatImage, in region: PixelRect? = nil) -> Float? {
        let outline = CoverageLimits.outline
        let region = region ?? PixelRect(x: 0, y: 0, width: width, height: height)
        var (sum, area) = (Float(0), Float(0))
        for y in region.y..<(region.y + region.height) {
            let (values, covers) = (row(y), coverage.row(y))
            for x in region.x..<(region.x + region.width) where outline.value(covers[x]) > 0.5 {
                sum += values[x]
                area += 1
            }
        }
        return area > 0 ? sum / area : nil
    }
}

/// Finds regions of people that a matte misses though the coarse prior is certain of them.
///
/// A missing piece is filled in if most of its outline is bounded by the people, or by the frame, beyond
/// which a body continues. It is also filled in if it has been in the masks for a while, since people lose no
/// large piece from one frame to the next. It must be wider than the gaps that the coarse model overlooks. A
/// piece with a part of a face is filled in whatever its outline and width, because two models contradict the
/// matte.
package final class MissingRegions {
    /// Minimum share of a missing region's outline that is bounded by the matte or by the frame's edge: a
    /// dark shirt before a dark wall.
    private static let bounded: Float = 0.7
    /// Minimum share of a detected face in a missing region that is filled in whatever its outline and width.
    ///
    /// With any overlap at all, fur and furniture behind a head that touch the face come in: MAE of
    /// five of 85 portraits grows from 3...30 to 12...61. On 40 of them 0.1 to 0.3 are equal.
    private static let partOfFace: Float = 0.1

    private let components = ConnectedComponents()
    private let morphology = MorphologyFilter()
    /// The certain coverage that the last matte misses, 0...1.
    private let missing = FloatImage()
    /// The pieces to be filled in.
    private let pieces = FloatImage()
    private let scratch = FloatImage()
    /// Whether a piece of the last matte is large beside the people: the coarse prior or the matte is wrong.
    package private(set) var hasLargePiece = false

    /// Creates a finder without scratch memory.
    package init() {}

    /// Finds the pieces that a matte misses.
    ///
    /// - Parameter people: coarse coverage of all people, of the size of `matte`.
    package func find(in matte: FloatImage, people: FloatImage) {
        missing.resize(width: matte.width, height: matte.height)
        scratch.resize(width: matte.width, height: matte.height)
        let area = markMissing(matte, people)
        components.find(in: missing, above: 0, reaching: 1 - CoverageLimits.certain.low)
        let largest = Int(CoverageLimits.smallComponents.shareOfLargest * Double(area))
        hasLargePiece = components.largestArea > largest
    }

    /// Whether the last matte misses nothing.
    package var isEmpty: Bool { components.isEmpty }

    /// Raises `floor` where a piece that was found in `matte` is to be filled in; all images have one size.
    ///
    /// - Parameters:
    ///   - history: the mean of the masks before; nil where a scene begins.
    ///   - faces: result of `FaceFinder`; nil where no face was searched for.
    package func add(
        to floor: FloatImage, _ matte: FloatImage, people: FloatImage, history: FloatImage? = nil,
        faces: FloatImage? = nil
    ) {
        guard !isEmpty else { return }
        pieces.copy(missing)
        balanceOutline(matte)
        if let history {
            components.measure(history)
            // With one frame before as the measure, an object that a person walks past stays in the masks.
            let minimum = MaskHistory.lasting.low
            components.paint(on: scratch) { $0.sum > minimum * Float($0.area) ? 0 : nil }
        }
        components.measure(scratch)
        components.paint(on: pieces) { $0.sum >= 0 && $0.area > 0 ? 1 : 0 }
        scratch.copy(pieces)
        morphology.erode(
            scratch, radius: MaskRule.wide.isOn ? Int(CoverageLimits.outlineTolerance(of: matte)) : 0)
        components.measure(scratch)
        components.paint(on: pieces) { $0.sum > 0 ? nil : 0 }
        if let faces {
            components.measure(faces)
            components.paint(on: pieces) { $0.sum >= Self.partOfFace ? 1 : nil }
        }
        // A rim of one value closes the seam between the piece and the matte.
        morphology.dilate(pieces, radius: 1)
        let (filled, values, target) = (pieces.base, people.base, floor.base)
        let certain = CoverageLimits.certain
        for i in 0..<pieces.count { target[i] = max(target[i], filled[i] * certain.value(values[i])) }
    }

    /// Fills `missing` with the certain coverage that the matte misses, 0...1.
    ///
    /// - Returns: the people's area.
    private func markMissing(_ matte: FloatImage, _ people: FloatImage) -> Int {
        let (alpha, values, target) = (matte.base, people.base, missing.base)
        let certain = CoverageLimits.certain.high
        var area = 0
        for i in 0..<missing.count {
            let isMissing = values[i] >= certain && alpha[i] < certain
            target[i] = isMissing ? 1 - alpha[i] : 0
            area &+= values[i] > 0.5 ? 1 : 0
        }
        return area
    }

    /// Fills `scratch` with the contribution of each value of a piece to the balance of its outline.
    ///
    /// Sides towards people and the frame's edges count for the piece, the others against it.
    private func balanceOutline(_ matte: FloatImage) {
        scratch.fill(0)
        for y in 0..<missing.height {
            let (row, balance) = (missing.row(y), scratch.row(y))
            for x in 0..<missing.width where row[x] > 0 {
                let across = side(x - 1, y, matte) + side(x + 1, y, matte)
                balance[x] = across + side(x, y - 1, matte) + side(x, y + 1, matte)
            }
        }
    }

    private func side(_ x: Int, _ y: Int, _ matte: FloatImage) -> Float {
        guard x >= 0, y >= 0, x < missing.width, y < missing.height else { return 1 - Self.bounded }
        if missing.row(y)[x] > 0 { return 0 }
        return matte.row(y)[x] >= CoverageLimits.certain.high ? 1 - Self.bounded : -Self.bounded
    }
}

/// Fills holes of a matte that the coarse coverage of people does not have.
final class HoleFilling {
    private let morphology = MorphologyFilter()
    private let holes = HoleFilter()
    private let core = FloatImage()

    /// Raises `floor` where the matte has a hole; all images have one size.
    ///
    /// - Parameter people: coarse coverage of all people.
    func raise(_ floor: FloatImage, inHolesOf matte: FloatImage, people: FloatImage) {
        core.copy(people)
        // Gaps between people, and between locks of hair, lie nearer to the outline. They show the room.
        if MaskRule.holesInside.isOn {
            morphology.erode(core, radius: Int(2 * CoverageLimits.outlineTolerance(of: people)))
        }
        let certain = CoverageLimits.certain.high
        holes.raise(
            floor, inHolesOf: matte, within: core,
            HoleFilter.Limits(
                level: certain, largest: CoverageLimits.smallComponents.shareOfFrame, within: certain))
    }
}

/// Keeps what only one of a still image's two mattes shows, where the coarse coverage is certain of people.
final class GreaterMatte {
    private let rows = LinearResizer()

    /// Raises `floor` to `matte`, as far as the coverage is certain.
    ///
    /// - Parameters:
    ///   - matte: the greater matte, of any size; nil for none.
    ///   - people: coarse coverage of all people, of the size of `floor`.
    func raise(_ floor: FloatImage, to matte: FloatImage?, people: FloatImage) {
        guard let matte else { return }
        rows.begin(matte, width: floor.width, height: floor.height)
        let certain = CoverageLimits.certain
        for y in 0..<floor.height {
            let (row, alpha, coverage) = (floor.row(y), rows.row(y, of: matte), people.row(y))
            for x in 0..<floor.width { row[x] = max(row[x], min(alpha[x], certain.value(coverage[x]))) }
        }
    }
}
