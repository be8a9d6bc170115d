import Imaging

// Evidence of `holes`: without it, 45 portraits: IoU -0.4 [-0.8 -0.1], MAE +0.09 (10 are worse).
// 2026-11-25, docs/experiments/2026-11-25-each-rule.md, `balanced`.
// Evidence of `holes-inside`: without it, a clip before a still picture: IoU -0.3, MAE +0.06; 45 portraits: MAE +0.01.
// 2026-11-25, docs/experiments/2026-11-25-each-rule.md, `balanced`.

/// Fills holes of a matte that the coarse coverage of people does not have.
final class HoleFilling {
    private let morphology = MorphologyFilter()
    private let holes = HoleFilter()
    private let core = FloatImage()

    /// Raises `floor` where the matte has a hole; all images have one size.
    ///
    /// - Parameter people: coarse coverage of all people.
    func raise(_ floor: FloatImage, inHolesOf matte: FloatImage, people: FloatImage) {
        guard MaskRule.holes.isOn else { return }
        core.copy(people)
        // There are gaps between locks of hair nearer to the outline.
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
