package import Imaging

/// Divides a mask of several people among them: every value belongs to the one person who fits it best.
///
/// The fit is the person's own coarse coverage there, and is better nearer to the centre of the person's
/// box: where boxes overlap, the passes of both people show both. People who touch therefore have no gap
/// between them, and no value belongs to two.
package final class MaskPartition: MaskParts {
    /// Reach of a person beyond the box.
    ///
    /// The first value is for coverage beside other people, as a share of the box's width or height. The second is for
    /// places that only the mask shows, such as things that people hold, as a share of the box's longer side: a bag
    /// beside somebody who stands is wider than that person's box.
    private static let reach = (coverage: 0.05, mask: 0.2)
    /// Fit of a place without coverage; it is less than that of any coverage.
    private static let placeOnly: Float = 1e-4
    /// Coverage that counts, from not at all to fully.
    private static let counted = LinearStep(from: 0.1, to: 0.9)
    /// Share of a person in the mask: below the first value their coverage completes it wholly, above the
    /// second not at all.
    ///
    /// On everyday photos with several people it gains more than completing only those who are mostly lost.
    private static let shareInMask = LinearStep(from: 0.8, to: 0.95)

    private let best = FloatImage()
    /// The coverage of each value by its owner alone.
    private let coverage = FloatImage()
    private let person = FloatImage()
    private let smallMask = FloatImage()
    private let lower = FloatImage()
    private let paste = FeatheredPaste()
    private let maskRows = LinearResizer()
    private let lowerRows = LinearResizer()
    private let tone: LinearStep
    private let coverageReach: Float

    /// Creates a partition of the size at which `plan` compares coverages.
    package convenience init(_ plan: SegmentationPlan) {
        self.init(
            width: plan.prior.width, height: plan.prior.height, coverageReach: Self.reach.coverage)
    }

    /// Creates a partition of a size.
    ///
    /// - Parameter coverageReach: reach of a person's coverage beyond the box, as a share of its size. Without a limit it
    ///   ends with the crop, so that what somebody holds is not cut along the box.
    package init(width: Int, height: Int, coverageReach: Double = .infinity) {
        tone = CoverageLimits.outline
        self.coverageReach = Float(coverageReach)
        super.init(width: width, height: height)
        for image in [best, coverage, person, smallMask, lower] { image.resize(width: width, height: height) }
    }

    /// Divides `mask`, upright and of any size, among `people`, and raises it to the coverage of people whom
    /// it has lost.
    package func divide(_ mask: FloatImage, among people: ArraySlice<PersonPrior.Person>) {
        maskRows.resize(mask, into: smallMask)
        owners.fill(-1)
        best.fill(0)
        lower.fill(0)
        for (number, person) in people.enumerated() { add(person, number: number) }
        guard !people.isEmpty else { return }
        lowerRows.begin(lower, width: mask.width, height: mask.height)
        for y in 0..<mask.height { mask.raise(row: y, to: lowerRows.row(y, of: lower)) }
        for i in 0..<smallMask.count { smallMask.base[i] = max(smallMask.base[i], lower.base[i]) }
    }

    /// Takes values that are mostly something else than a person, such as things that people hold, from their owners.
    package func keepCoveredPlaces() {
        for i in 0..<owners.count where owners.base[i] >= 0 && coverage.base[i] <= 0.5 { owners.base[i] = -1 }
    }

    /// Returns the number of values, at the partition's size, of the mask that belong to a person.
    package func area(ofPerson number: Int) -> Int {
        let (owner, owners, mask, count) = (Float(number), owners.base, smallMask.base, owners.count)
        var area = 0
        for i in 0..<count { area &+= owners[i] == owner && mask[i] > 0.5 ? 1 : 0 }
        return area
    }

    private func add(_ prior: PersonPrior.Person, number: Int) {
        let coverage = prior.coverage
        person.fill(0)
        paste.add(
            UnsafeBufferPointer(coverage.values), width: coverage.width, height: coverage.height,
            crop: prior.crop, to: person)
        let across = BoxAxis(start: prior.person.box.x, extent: prior.person.box.width, count: owners.width)
        let down = BoxAxis(start: prior.person.box.y, extent: prior.person.box.height, count: owners.height)
        let reach = Float(Self.reach.mask) * max(across.extent, down.extent)
        let region = region(of: prior.person.box, within: Double(reach))
        let columns = region.x..<(region.x + region.width)
        for y in region.y..<(region.y + region.height) {
            claim(Float(number), row: y, columns, across, down, reach)
        }
        complete(region)
    }

    /// Returns the values within `reach` values of a box.
    private func region(of box: Rectangle, within reach: Double) -> PixelRect {
        let (width, height) = (reach / Double(owners.width), reach / Double(owners.height))
        return PixelRect(
            Rectangle(
                x: box.x - width, y: box.y - height, width: box.width + 2 * width,
                height: box.height + 2 * height),
            width: owners.width, height: owners.height)
    }

    /// Claims the values of a row that the person fits best; leaves the person's coverage within reach in
    /// `person`.
    private func claim(
        _ number: Float, row y: Int, _ columns: Range<Int>, _ across: BoxAxis, _ down: BoxAxis, _ reach: Float
    ) {
        let (values, best, owners) = (person.row(y), best.row(y), owners.row(y))
        let coverage = coverage.row(y)
        let (above, off) = (down.beyond(y), down.offCentre(y))
        for x in columns {
            let beside = across.beyond(x)
            let share = max(beside / across.extent, above / down.extent)
            values[x] *= Self.weight(share, within: coverageReach)
            let place = Self.placeOnly * Self.weight(max(beside, above), within: reach)
            // The fit falls with the distance from the centre, which decides only between equals.
            let fit = (Self.counted.value(values[x]) + place) / (1 + across.offCentre(x) + off)
            if fit > best[x] { (best[x], owners[x], coverage[x]) = (fit, number, values[x]) }
        }
    }

    private static func weight(_ beyond: Float, within reach: Float) -> Float { max(0, 1 - beyond / reach) }

    /// Raises the lower bound by a person whom the mask has lost.
    private func complete(_ region: PixelRect) {
        guard let share = smallMask.mean(overPerson: person, in: region) else { return }
        let lost = 1 - Self.shareInMask.value(share)
        guard lost > 0 else { return }
        for y in region.y..<(region.y + region.height) {
            let (values, floor) = (person.row(y), lower.row(y))
            for x in region.x..<(region.x + region.width) {
                floor[x] = max(floor[x], lost * tone.value(values[x]))
            }
        }
    }
}

/// A box along one axis of an image.
private struct BoxAxis {
    private let start: Float
    private let end: Float
    /// Extent of the box, in values of the image.
    let extent: Float

    /// Creates an axis.
    ///
    /// - Parameters:
    ///   - start: start of the box in the unit square.
    ///   - extent: extent of the box in the unit square.
    ///   - count: number of values of the image along the axis.
    init(start: Double, extent: Double, count: Int) {
        (self.start, end) = (Float(start * Double(count)), Float((start + extent) * Double(count)))
        self.extent = max(end - self.start, 1e-3)
    }

    /// Returns the distance of a value's centre outside of the box, in values of the image; 0 within.
    func beyond(_ index: Int) -> Float {
        let position = Float(index) + 0.5
        return max(0, max(start - position, position - end))
    }

    /// Returns the square of the distance from the middle, in halves of the box.
    func offCentre(_ index: Int) -> Float {
        let offset = 2 * (Float(index) + 0.5 - (start + end) / 2) / extent
        return offset * offset
    }
}
