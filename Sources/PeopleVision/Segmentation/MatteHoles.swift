import Imaging

/// Fills holes in people: MODNet loses patches of dark clothes against a dark room.
///
/// A hole is enclosed by people and the small model sees a person there; the gap between an arm and a
/// body is none.
final class MatteHoles {
    /// Coverage below this may belong to a hole.
    private static let solid: Float = 0.9
    /// Somewhere in a hole coverage is below this.
    private static let open: Float = 0.4
    /// The largest hole, as a share of the frame.
    private static let largest = 0.02
    /// The small model's mean coverage of a hole.
    private static let certain: Float = 0.95

    private let parts = MaskParts()
    private let missing = MaskGrid()
    private let filling = MaskGrid()
    private let stretch = GridStretch()

    /// Raises `matte` to the small model's mask `people` in holes.
    func fill(_ matte: MaskGrid, people: MaskGrid) {
        missing.resize(width: matte.width, height: matte.height)
        let (gaps, values, count) = (missing.base, matte.base, matte.count)
        for i in 0..<count { gaps[i] = 1 - values[i] }
        parts.find(in: missing, above: 1 - Self.solid, reaching: 1 - Self.open)
        stretch.begin(people, width: matte.width, height: matte.height)
        filling.resize(width: matte.width, height: matte.height)
        for y in 0..<matte.height {
            filling.row(y).update(from: stretch.row(y, of: people), count: matte.width)
        }
        parts.measure(filling)
        missing.fill(0)
        let largest = Int(Self.largest * Double(matte.count))
        parts.paint(on: missing) { part in
            part.area <= largest && part.sum > Self.certain * Float(part.area) ? 1 : 0
        }
        filling.multiply(missing)
        for y in 0..<matte.height { matte.raise(row: y, to: filling.row(y)) }
    }
}
