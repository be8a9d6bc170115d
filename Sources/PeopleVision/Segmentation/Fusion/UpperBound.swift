import Imaging

// Evidence of `upper-bound`: without it, 45 portraits: IoU -18.2 [-46.1 +0.2], MAE +9.30; 36 photos of COCO: MAE +1.57.
// 2026-11-25, docs/experiments/2026-11-25-each-rule.md, `balanced`.
// Evidence of `upper-frame`: without it, 45 portraits: IoU -1.3 [-3.6 +0.2], MAE +0.29.
// 2026-11-25, docs/experiments/2026-11-25-each-rule.md, `balanced`.
// Evidence of `upper-tolerance`: without it, 36 photos of COCO: IoU -0.8 [-1.7 0.0]; a clip: IoU -3.0, MAE +0.69.
// 2026-11-25, docs/experiments/2026-11-25-each-rule.md, `balanced`.

/// Makes the upper bound of a mask, which is 0 where no person is near.
///
/// MODNet also mattes chairs, statues and patterns on walls.
final class UpperBound {
    private let morphology = MorphologyFilter()
    private let frameRows = LinearResizer()

    /// Turns the coarse coverage of all people into the bound: people, and certain coverage of the whole
    /// frame, grown by the tolerance of outlines.
    ///
    /// - Parameter frame: coarse coverage of the whole frame, at any size.
    func make(from people: FloatImage, frame: FloatImage) {
        let (possible, certain) = (CoverageLimits.possible, CoverageLimits.certain)
        let usesFrame = MaskRule.upperFrame.isOn
        frameRows.begin(frame, width: people.width, height: people.height)
        for y in 0..<people.height {
            let (row, whole) = (people.row(y), frameRows.row(y, of: frame))
            for x in 0..<people.width {
                row[x] = possible.value(max(row[x], usesFrame ? certain.value(whole[x]) : 0))
            }
        }
        guard MaskRule.upperTolerance.isOn else { return }
        morphology.dilate(people, radius: Int(CoverageLimits.outlineTolerance(of: people)))
    }
}
