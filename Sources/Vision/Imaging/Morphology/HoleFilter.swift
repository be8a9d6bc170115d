/// Finds holes: small areas of low coverage that lie within a region.
///
/// A hole is a connected component (neighbours by an edge or a corner). It may touch the edge of the image,
/// because the region is assumed to continue there.
package final class HoleFilter {
    private let components = ConnectedComponents()
    private let gaps = FloatImage()
    private let holes = FloatImage()

    /// The definition of a hole.
    package struct Limits: Equatable, Sendable {
        /// Maximum coverage in a hole, 0...1.
        let level: Float
        /// Maximum area of a hole, as a share of the image.
        let largest: Double
        /// Minimum mean of the region over a hole, 0...1.
        let within: Float

        package init(level: Float, largest: Double, within: Float) {
            (self.level, self.largest, self.within) = (level, largest, within)
        }
    }

    /// Creates a filter without scratch memory.
    package init() {}

    /// Raises `floor` to `region` in the holes of `mask`; all images have one size.
    ///
    /// - Parameters:
    ///   - mask: coverage from 0 to 1.
    ///   - region: coverage from 0 to 1 of the region without holes.
    package func raise(
        _ floor: FloatImage, inHolesOf mask: FloatImage, within region: FloatImage, _ limits: Limits
    ) {
        gaps.resize(width: mask.width, height: mask.height)
        holes.resize(width: mask.width, height: mask.height)
        let (lack, values, count) = (gaps.base, mask.base, mask.count)
        for i in 0..<count { lack[i] = limits.level - values[i] }
        components.find(in: gaps, above: 0)
        components.measure(region)
        holes.fill(0)
        let largest = limits.largest * Double(count)
        components.paint(on: holes) { hole in
            Double(hole.area) <= largest && hole.sum > limits.within * Float(hole.area) ? 1 : nil
        }
        holes.multiply(region)
        for y in 0..<floor.height { floor.raise(row: y, to: holes.row(y)) }
    }
}
