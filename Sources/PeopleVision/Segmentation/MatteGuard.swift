import Imaging

/// Drops what is nobody: MODNet also mattes chairs, statues and animals.
///
/// Whole parts only: the small model misses heads and hands that MODNet finds.
final class MatteGuard {
    /// A part in which the small model sees less than this, on average, is nobody.
    private static let nobody: Float = 0.15
    /// How far haze may reach from what is certain, as a share of the longer side.
    private static let haze = 0.025

    /// What the last matte covered, in its unit square; nil when that was nothing.
    private(set) var extent: Rectangle?

    private let parts = MaskParts()
    private let seen = MaskGrid()
    private let stretch = GridStretch()

    /// Clears strays in `matte`; `people` is the small model's mask.
    func dropStrays(from matte: MaskGrid, people: MaskGrid) {
        seen.resize(width: matte.width, height: matte.height)
        stretch.begin(people, width: matte.width, height: matte.height)
        for y in 0..<matte.height {
            seen.row(y).update(from: stretch.row(y, of: people), count: matte.width)
        }
        parts.find(in: matte, above: Scout.certain)
        parts.measure(seen)
        let smallest = Scout.smallestArea(parts.largestArea, of: matte.count)
        func isSomebody(_ part: MaskParts.Part) -> Bool {
            part.area >= smallest && part.sum >= Self.nobody * Float(part.area)
        }
        let distance = Int(Self.haze * Double(max(matte.width, matte.height)))
        parts.keep(distance: distance, in: matte, where: isSomebody)
        extent = nil
        parts.forEach { part in
            guard isSomebody(part) else { return }
            let box = Rectangle(part, width: matte.width, height: matte.height)
            extent = extent?.union(box) ?? box
        }
    }

    /// The next matte does not follow the last.
    func reset() { extent = nil }
}
