import Imaging

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
