import Imaging

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
    ///   - frame: coarse coverage of the whole frame, at any size.
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
