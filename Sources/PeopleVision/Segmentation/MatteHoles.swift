package import Imaging

/// Fills holes in people, and veils: MODNet loses patches of dark clothes against a dark room.
///
/// A hole is enclosed by people, and the small model sees a person there and around it. The gap between
/// an arm and a body is none, nor are those between locks of hair.
package final class MatteHoles {
    /// Coverage below this may belong to a hole.
    private static let solid: Float = 0.9
    /// The largest hole, as a share of the frame.
    private static let largest = 0.02
    /// The small model's mean coverage of a hole.
    private static let certain: Float = 0.95

    /// How far from the people's outline a hole lies, as a share of the longer side.
    private static let depth = 0.03

    private let parts = ConnectedComponents()
    private let extremum = MorphologyFilter()
    private let core = FloatImage()
    private let missing = FloatImage()
    private let filling = FloatImage()
    private let stretch = LinearResizer()

    /// Nothing filled yet.
    package init() {}

    /// Raises `matte` in holes; `people` is the small model's mask.
    package func fill(_ matte: FloatImage, people: FloatImage) {
        missing.resize(width: matte.width, height: matte.height)
        let (gaps, values, count) = (missing.base, matte.base, matte.count)
        for i in 0..<count { gaps[i] = 1 - values[i] }
        parts.find(in: missing, above: 1 - Self.solid)
        core.copy(people)
        extremum.erode(core, radius: Int(Self.depth * Double(max(core.width, core.height))))
        filling.resize(width: matte.width, height: matte.height)
        stretch.resize(core, into: filling)
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
