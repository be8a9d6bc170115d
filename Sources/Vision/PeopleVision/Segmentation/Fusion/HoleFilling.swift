import Imaging

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
