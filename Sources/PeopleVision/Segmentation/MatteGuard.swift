import Imaging

/// Keeps a matte to the surroundings of people: MODNet also mattes chairs, statues and animals.
final class MatteGuard {
    /// How far hair and hands may reach beyond what the small model sees, in its pixels.
    private static let reach = 6
    /// Where the small model sees less than this around, there is nobody.
    private static let nobody: Float = 0.1
    /// Where it sees more than this, the matte stays as it is.
    private static let somebody: Float = 0.4

    private let extremum = MaskExtremum()
    private let near = MaskGrid()
    private let stretch = GridStretch()

    /// Fades `matte` where `people`, the small model's mask, has nobody near.
    func apply(to matte: MaskGrid, people: MaskGrid) {
        near.copy(people, tone: MaskTone(from: Self.nobody, to: Self.somebody))
        extremum.apply(to: near, radius: Self.reach)
        stretch.begin(near, width: matte.width, height: matte.height)
        for y in 0..<matte.height { matte.multiply(row: y, by: stretch.row(y, of: near)) }
    }
}
