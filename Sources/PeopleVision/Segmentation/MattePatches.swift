package import Imaging

/// Fills in wide pieces of people that MODNet loses at their rim: dark clothes before a dark wall, cut off
/// by the frame.
///
/// A piece is bounded by people for the most part, or by the frame, beyond which a body goes on. The small
/// model is sure of all of it, and it is wider than the gaps that this model overlooks: those between
/// legs, between an arm and a body, between two people.
package final class MattePatches {
    /// Coverage from here on needs nothing.
    private static let solid: Float = 0.9
    /// Somewhere in a piece coverage is below this.
    private static let open: Float = 0.6
    /// The small model's coverage of all of a piece.
    private static let certain: Float = 0.95
    /// What a filled piece fades out to, in the small model's coverage.
    private static let rim = LinearStep(from: 0.6, to: certain)
    /// Gaps up to twice as wide may escape the small model, in its pixels.
    private static let overlooked = 8
    /// The share of a piece's outline that people or the frame bound.
    private static let bounded: Float = 0.7
    /// The largest piece, as a share of the people.
    private static let largest = 0.1

    private let parts = ConnectedComponents()
    private let extremum = MorphologyFilter()
    private let shrink = LinearResizer()
    private let stretch = LinearResizer()
    private let lack = FloatImage()
    private let sides = FloatImage()
    private let wide = FloatImage()
    private let filling = FloatImage()

    /// Nothing filled yet.
    package init() {}

    /// Raises `matte` where a piece is missing; `people` is the small model's mask.
    package func fill(_ matte: FloatImage, people: FloatImage) {
        find(matte, people)
        guard parts.largestArea > 0 else { return }
        choose(atMost: Int(Self.largest * Double(people.count(above: 0.5))))
        extremum.dilate(filling, radius: 1)
        for i in 0..<filling.count { filling.base[i] *= Self.rim.value(people.base[i]) }
        stretch.begin(filling, width: matte.width, height: matte.height)
        for y in 0..<matte.height { matte.raise(row: y, to: stretch.row(y, of: filling)) }
    }

    /// Finds what `matte` lacks of what the small model is sure of.
    private func find(_ matte: FloatImage, _ people: FloatImage) {
        for grid in [lack, sides, wide, filling] { grid.resize(width: people.width, height: people.height) }
        shrink.begin(matte, width: people.width, height: people.height)
        for y in 0..<people.height {
            let (row, seen, lack) = (shrink.row(y, of: matte), people.row(y), lack.row(y))
            for x in 0..<people.width { lack[x] = seen[x] > Self.certain ? 1 - row[x] : 0 }
            let side = sides.row(y)
            for x in 0..<people.width { side[x] = row[x] >= Self.solid ? 1 - Self.bounded : -Self.bounded }
        }
        parts.find(in: lack, above: 1 - Self.solid, reaching: 1 - Self.open)
    }

    /// Makes `filling` 1 on the parts that are pieces.
    private func choose(atMost largest: Int) {
        for i in 0..<wide.count { wide.base[i] = lack.base[i] > 1 - Self.solid ? 1 : 0 }
        weighOutline()
        parts.measure(filling)
        parts.paint(on: lack) { $0.sum >= 0 && $0.area <= largest ? 1 : 0 }
        extremum.erode(wide, radius: Self.overlooked)
        parts.measure(wide)
        filling.fill(0)
        parts.paint(on: filling) { $0.sum > 0 && $0.area > 0 ? 1 : 0 }
        filling.multiply(lack)
    }

    /// Fills `filling` with what each value of a part adds to the balance of its outline: sides towards
    /// people and the frame's edges for it, the others against.
    private func weighOutline() {
        let (width, height) = (wide.width, wide.height)
        filling.fill(0)
        for y in 0..<height {
            let (row, weight) = (wide.row(y), filling.row(y))
            for x in 0..<width where row[x] > 0 {
                weight[x] = side(x - 1, y) + side(x + 1, y) + side(x, y - 1) + side(x, y + 1)
            }
        }
    }

    private func side(_ x: Int, _ y: Int) -> Float {
        guard x >= 0, y >= 0, x < wide.width, y < wide.height else { return 1 - Self.bounded }
        return wide.row(y)[x] > 0 ? 0 : sides.row(y)[x]
    }
}

extension FloatImage {
    fileprivate func count(above level: Float) -> Int {
        var covered = 0
        for i in 0..<count where base[i] > level { covered += 1 }
        return covered
    }
}
