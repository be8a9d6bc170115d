/// A nearly Gaussian blur of a grid: three running sums each way.
///
/// The cost does not depend on the width. The grid is mirrored at its edges, so that nothing is lost
/// there. Sums are not divided: each cell carries its weight in one lane, which the caller divides by
/// in the end.
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
        let widest = width + 2 * max(radii.0, radii.1, radii.2)
        let (padded, sums) = (lines.0.reserve(widest), lines.1.reserve(width))
        for y in 0..<height {
            let row = cells + y * width
            Self.sumRow(row, into: sums, padded: padded, count: width, radius: radii.0)
            Self.sumRow(sums, into: row, padded: padded, count: width, radius: radii.1)
            Self.sumRow(row, into: sums, padded: padded, count: width, radius: radii.2)
            row.update(from: sums, count: width)
        }
        let spare = spare.reserve(width * height)
        sumColumns(cells, into: spare, width: width, height: height, radius: radii.0)
        sumColumns(spare, into: cells, width: width, height: height, radius: radii.1)
        sumColumns(cells, into: spare, width: width, height: height, radius: radii.2)
        cells.update(from: spare, count: width * height)
    }

    /// The cell that a position outside 0..<`count` mirrors.
    private static func mirrored(_ position: Int, count: Int) -> Int {
        let period = 2 * count
        let inside = ((position % period) + period) % period
        return min(inside, period - 1 - inside)
    }

    private static func sumRow(
        _ source: UnsafePointer<SIMD4<Float>>, into target: UnsafeMutablePointer<SIMD4<Float>>,
        padded: UnsafeMutablePointer<SIMD4<Float>>, count: Int, radius: Int
    ) {
        (padded + radius).update(from: source, count: count)
        for i in 0..<radius {
            padded[i] = source[mirrored(i - radius, count: count)]
            padded[radius + count + i] = source[mirrored(count + i, count: count)]
        }
        var sum = SIMD4<Float>()
        for i in 0...(2 * radius) { sum += padded[i] }
        target[0] = sum
        for x in 1..<max(1, count) {
            sum += padded[x &+ 2 &* radius] - padded[x &- 1]
            target[x] = sum
        }
    }

    private func sumColumns(
        _ source: UnsafePointer<SIMD4<Float>>, into target: UnsafeMutablePointer<SIMD4<Float>>, width: Int,
        height: Int, radius: Int
    ) {
        let sums = sums.reserve(width)
        let row = { source + Self.mirrored($0, count: height) * width }
        sums.update(repeating: SIMD4(), count: width)
        for y in -radius...radius { Self.add(row(y), to: sums, count: width) }
        target.update(from: sums, count: width)
        for y in 1..<max(1, height) {
            Self.slide(sums, entering: row(y + radius), leaving: row(y - radius - 1), count: width)
            (target + y * width).update(from: sums, count: width)
        }
    }

    private static func add(
        _ row: UnsafePointer<SIMD4<Float>>, to sums: UnsafeMutablePointer<SIMD4<Float>>, count: Int
    ) {
        for x in 0..<count { sums[x] += row[x] }
    }

    private static func slide(
        _ sums: UnsafeMutablePointer<SIMD4<Float>>, entering: UnsafePointer<SIMD4<Float>>,
        leaving: UnsafePointer<SIMD4<Float>>, count: Int
    ) {
        for x in 0..<count { sums[x] += entering[x] - leaving[x] }
    }
}
