/// A nearly Gaussian blur of a grid: three running averages each way.
///
/// The cost does not depend on the width. Cells outside the grid count as zero and sums are not
/// divided: each cell carries its weight in one lane, which the caller divides by in the end.
final class BoxBlur {
    private let lines = (ScratchBuffer<SIMD4<Float>>(), ScratchBuffer<SIMD4<Float>>())
    private let spare = ScratchBuffer<SIMD4<Float>>()
    private let sums = ScratchBuffer<SIMD4<Float>>()

    /// The half widths of three boxes whose variances add up to about `variance` cells squared.
    ///
    /// A box of odd width w has the variance (w^2 - 1) / 12. Two neighbouring odd widths are mixed so
    /// that the sum comes nearest.
    static func radii(variance: Double) -> (Int, Int, Int) {
        let ideal = (4 * max(0, variance) + 1).squareRoot()
        let radius = Int((ideal - 1) / 2)
        let narrow = Double(2 * radius + 1)
        let surplus = 12 * max(0, variance) - 3 * (narrow * narrow - 1)
        let wider = Int((surplus / (4 * narrow + 4)).rounded())
        return (radius + (wider > 0 ? 1 : 0), radius + (wider > 1 ? 1 : 0), radius + (wider > 2 ? 1 : 0))
    }

    /// Blurs `cells`, `width` x `height`, in place.
    func blur(_ cells: UnsafeMutablePointer<SIMD4<Float>>, width: Int, height: Int, radii: (Int, Int, Int)) {
        let (first, second) = (lines.0.reserve(width), lines.1.reserve(width))
        for y in 0..<height {
            let row = cells + y * width
            Self.average(row, into: first, count: width, radius: radii.0)
            Self.average(first, into: second, count: width, radius: radii.1)
            Self.average(second, into: row, count: width, radius: radii.2)
        }
        let spare = spare.reserve(width * height)
        sums.reserve(width)
        averageColumns(cells, into: spare, width: width, height: height, radius: radii.0)
        averageColumns(spare, into: cells, width: width, height: height, radius: radii.1)
        averageColumns(cells, into: spare, width: width, height: height, radius: radii.2)
        cells.update(from: spare, count: width * height)
    }

    private static func average(
        _ source: UnsafePointer<SIMD4<Float>>, into target: UnsafeMutablePointer<SIMD4<Float>>, count: Int,
        radius: Int
    ) {
        var sum = SIMD4<Float>()
        for x in 0..<min(radius, count) { sum += source[x] }
        for x in 0..<count {
            let entering = x &+ radius < count ? source[x &+ radius] : SIMD4()
            let leaving = x > radius ? source[x &- radius &- 1] : SIMD4()
            sum += entering - leaving
            target[x] = sum
        }
    }

    private func averageColumns(
        _ source: UnsafePointer<SIMD4<Float>>, into target: UnsafeMutablePointer<SIMD4<Float>>, width: Int,
        height: Int, radius: Int
    ) {
        let sums = sums.base
        sums.update(repeating: SIMD4(), count: width)
        for y in 0..<min(radius, height) { Self.add(source + y * width, to: sums, count: width) }
        for y in 0..<height {
            if y + radius < height { Self.add(source + (y + radius) * width, to: sums, count: width) }
            if y > radius { Self.subtract(source + (y - radius - 1) * width, from: sums, count: width) }
            (target + y * width).update(from: sums, count: width)
        }
    }

    private static func add(
        _ row: UnsafePointer<SIMD4<Float>>, to sums: UnsafeMutablePointer<SIMD4<Float>>, count: Int
    ) {
        for x in 0..<count { sums[x] += row[x] }
    }

    private static func subtract(
        _ row: UnsafePointer<SIMD4<Float>>, from sums: UnsafeMutablePointer<SIMD4<Float>>, count: Int
    ) {
        for x in 0..<count { sums[x] -= row[x] }
    }
}
