import Imaging

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
        let outline = MaskRule.sharpOutline.isOn ? CoverageLimits.outline : LinearStep(from: 0, to: 1)
        for i in 0..<count { target[i] = max(target[i], weight * outline.value(values[i])) }
    }

    /// Returns the degree to which the coverage of `person` must complete the matte, 0...1.
    private static func lostShare(
        of person: FloatImage, isProminent: Bool, _ faces: (some Sequence<Rectangle>)?, _ matte: FloatImage
    ) -> Float {
        let outline = CoverageLimits.outline
        guard let share = matte.mean(where: person, { outline.value($0) > 0.5 }) else { return 0 }
        let shown = MaskRule.shownFace.isOn ? faces?.lazy.map { matte.mean(inCircleOf: $0) }.max() : nil
        let lost = 1 - shareInMatte.value(max(share, shown ?? 0))
        return isProminent || !MaskRule.trace.isOn ? lost : lost * trace.value(share)
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
