/// What running sums are made of.
protocol BoxBlurCell: BitwiseCopyable {
    init()
    static func + (one: Self, other: Self) -> Self
    static func - (one: Self, other: Self) -> Self
}

extension Float: BoxBlurCell {}
extension SIMD4<Float>: BoxBlurCell {}

/// A nearly Gaussian blur of a grid: three running sums each way.
///
/// The cost does not depend on the width. The grid is mirrored at its edges, so that nothing is lost
/// there. Sums are not divided: results are larger than averages by the product of both `BoxRadii.gain`.
final class BoxBlur<Cell: BoxBlurCell> {
    private let lines = (ScratchBuffer<Cell>(), ScratchBuffer<Cell>())
    private let spare = ScratchBuffer<Cell>()
    private let sums = ScratchBuffer<Cell>()

    /// Blurs `cells`, `width` x `height`, in place.
    func blur(_ cells: UnsafeMutablePointer<Cell>, width: Int, height: Int, across: BoxRadii, down: BoxRadii)
    {
        if across.widest > 0 { blurRows(cells, width: width, height: height, across) }
        guard down.widest > 0 else { return }
        let spare = spare.reserve(width * height)
        sumColumns(cells, into: spare, width: width, height: height, radius: down.first)
        sumColumns(spare, into: cells, width: width, height: height, radius: down.second)
        sumColumns(cells, into: spare, width: width, height: height, radius: down.third)
        cells.update(from: spare, count: width * height)
    }

    private func blurRows(_ cells: UnsafeMutablePointer<Cell>, width: Int, height: Int, _ radii: BoxRadii) {
        let (padded, sums) = (lines.0.reserve(width + 2 * radii.widest), lines.1.reserve(width))
        for y in 0..<height {
            let row = cells + y * width
            Self.sumRow(row, into: sums, padded: padded, count: width, radius: radii.first)
            Self.sumRow(sums, into: row, padded: padded, count: width, radius: radii.second)
            Self.sumRow(row, into: sums, padded: padded, count: width, radius: radii.third)
            row.update(from: sums, count: width)
        }
    }

    /// The cell that a position outside 0..<`count` mirrors.
    private static func mirrored(_ position: Int, count: Int) -> Int {
        let period = 2 * count
        let inside = ((position % period) + period) % period
        return min(inside, period - 1 - inside)
    }

    private static func sumRow(
        _ source: UnsafePointer<Cell>, into target: UnsafeMutablePointer<Cell>,
        padded: UnsafeMutablePointer<Cell>, count: Int, radius: Int
    ) {
        (padded + radius).update(from: source, count: count)
        for i in 0..<radius {
            padded[i] = source[mirrored(i - radius, count: count)]
            padded[radius + count + i] = source[mirrored(count + i, count: count)]
        }
        var sum = Cell()
        for i in 0...(2 * radius) { sum = sum + padded[i] }
        target[0] = sum
        for x in 1..<max(1, count) {
            sum = sum + (padded[x &+ 2 &* radius] - padded[x &- 1])
            target[x] = sum
        }
    }

    private func sumColumns(
        _ source: UnsafePointer<Cell>, into target: UnsafeMutablePointer<Cell>, width: Int, height: Int,
        radius: Int
    ) {
        let sums = sums.reserve(width)
        let row = { source + Self.mirrored($0, count: height) * width }
        sums.update(repeating: Cell(), count: width)
        for y in -radius...radius { Self.add(row(y), to: sums, count: width) }
        target.update(from: sums, count: width)
        for y in 1..<max(1, height) {
            Self.slide(sums, entering: row(y + radius), leaving: row(y - radius - 1), count: width)
            (target + y * width).update(from: sums, count: width)
        }
    }

    private static func add(
        _ row: UnsafePointer<Cell>, to sums: UnsafeMutablePointer<Cell>, count: Int
    ) {
        for x in 0..<count { sums[x] = sums[x] + row[x] }
    }

    private static func slide(
        _ sums: UnsafeMutablePointer<Cell>, entering: UnsafePointer<Cell>, leaving: UnsafePointer<Cell>,
        count: Int
    ) {
        for x in 0..<count { sums[x] = sums[x] + (entering[x] - leaving[x]) }
    }
}
