import Imaging

// Evidence of `completion`: without it, 36 photos of COCO: IoU -4.7 [-10.0 -0.7], MAE +1.17.
// 2026-11-25, docs/experiments/2026-11-25-each-rule.md, `balanced`.
// Evidence of `trace`: without it, 36 photos of COCO: IoU -0.9 [-3.5 +0.5], MAE +0.23.
// 2026-11-25, docs/experiments/2026-11-25-each-rule.md, `balanced`.
// Evidence of `shown-face`: with it four of 340 made-up portraits are right (MAE 78...211 before, 13...20 after); COCO: 7 better, 1 worse.
// 2026-11-27, docs/experiments/2026-11-27-other-backgrounds.md, `balanced`.
// Evidence of `sharp-outline`: without it, 36 photos of COCO: IoU +0.6 [+0.2 +1.0], MAE +0.16 (7 are worse).
// 2026-11-25, docs/experiments/2026-11-25-each-rule.md, `balanced`.
// Evidence of `whole-in-stills`: with it, 14 photos of COCO: IoU 0.696 to 0.702, MAE 128.3 to 125.7; no person is partially transparent.
// 2026-11-25, docs/experiments/2026-11-25-transparent-people.md, `accurate`.

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

    /// Raises `floor` to the coverage of a person whom the matte has lost; all images have one size.
    ///
    /// In a still image a person is completed wholly or not at all, so that nobody is partially transparent;
    /// in a video such a person would appear from one frame to the next.
    ///
    /// - Parameter faces: the squares around the person's faces, in the unit square of the images.
    static func raise(
        _ floor: FloatImage, to person: FloatImage, isProminent: Bool, isStill: Bool,
        faces: some Sequence<Rectangle>, matte: FloatImage
    ) {
        guard MaskRule.completion.isOn else { return }
        let share = lostShare(of: person, isProminent: isProminent, faces, matte)
        let weight = isStill && MaskRule.wholeInStills.isOn ? share.rounded() : share
        guard weight > 0 else { return }
        let (values, target, count) = (person.base, floor.base, floor.count)
        let outline = MaskRule.sharpOutline.isOn ? CoverageLimits.outline : LinearStep(from: 0, to: 1)
        for i in 0..<count { target[i] = max(target[i], weight * outline.value(values[i])) }
    }

    /// Returns the degree to which the coverage of `person` must complete the matte, 0...1.
    private static func lostShare(
        of person: FloatImage, isProminent: Bool, _ faces: some Sequence<Rectangle>, _ matte: FloatImage
    ) -> Float {
        let outline = CoverageLimits.outline
        guard let share = matte.mean(where: person, { outline.value($0) > 0.5 }) else { return 0 }
        let shown = MaskRule.shownFace.isOn ? faces.lazy.map { matte.mean(inCircleOf: $0) }.max() : nil
        let lost = 1 - shareInMatte.value(max(share, shown ?? 0))
        return isProminent || !MaskRule.trace.isOn ? lost : lost * trace.value(share)
    }
}
