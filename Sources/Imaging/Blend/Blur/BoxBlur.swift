/// What running sums are made of.
protocol BoxBlurCell: BitwiseCopyable {
    init()
    static func + (one: Self, other: Self) -> Self
    static func - (one: Self, other: Self) -> Self
    static func * (one: Self, factor: Float) -> Self
}

extension Float: BoxBlurCell {}
extension SIMD4<Float>: BoxBlurCell {}

/// A nearly Gaussian blur of a grid: three running sums each way.
///
/// The cost does not depend on the width. The grid is mirrored at its edges, so that nothing is lost
/// there. Sums are not divided: results are larger than averages by the product of both `BoxWidth.gain`.
final class BoxBlur<Cell: BoxBlurCell> {
    private let lines = (ScratchBuffer<Cell>(), ScratchBuffer<Cell>())
    private let spare = ScratchBuffer<Cell>()
    private let sums = ScratchBuffer<Cell>()

    /// Blurs `cells`, `width` x `height`, in place.
    func blur(_ cells: UnsafeMutablePointer<Cell>, width: Int, height: Int, across: BoxWidth, down: BoxWidth)
    {
        if !across.isTrivial { blurRows(cells, width: width, height: height, across) }
        guard !down.isTrivial else { return }
        let spare = spare.reserve(width * height)
        sumColumns(cells, into: spare, width: width, height: height, down)
        sumColumns(spare, into: cells, width: width, height: height, down)
        sumColumns(cells, into: spare, width: width, height: height, down)
        cells.update(from: spare, count: width * height)
    }

    private func blurRows(_ cells: UnsafeMutablePointer<Cell>, width: Int, height: Int, _ box: BoxWidth) {
        let (padded, sums) = (lines.0.reserve(width + 2 * box.radius + 2), lines.1.reserve(width))
        for y in 0..<height {
            let row = cells + y * width
            Self.sumRow(row, into: sums, padded: padded, count: width, box)
            Self.sumRow(sums, into: row, padded: padded, count: width, box)
            Self.sumRow(row, into: sums, padded: padded, count: width, box)
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
        padded: UnsafeMutablePointer<Cell>, count: Int, _ box: BoxWidth
    ) {
        let (reach, edge) = (box.radius + 1, box.edge)
        (padded + reach).update(from: source, count: count)
        for i in 0..<reach {
            padded[i] = source[mirrored(i - reach, count: count)]
            padded[reach + count + i] = source[mirrored(count + i, count: count)]
        }
        var sum = Cell()
        for i in 1..<(2 * reach) { sum = sum + padded[i] }
        for x in 0..<count {
            let (left, right) = (padded[x], padded[x &+ 2 &* reach])
            target[x] = sum + (left + right) * edge
            sum = sum + (right - padded[x &+ 1])
        }
    }

    private func sumColumns(
        _ source: UnsafePointer<Cell>, into target: UnsafeMutablePointer<Cell>, width: Int, height: Int,
        _ box: BoxWidth
    ) {
        let sums = sums.reserve(width)
        let row = { source + Self.mirrored($0, count: height) * width }
        sums.update(repeating: Cell(), count: width)
        for y in -box.radius...box.radius { Self.add(row(y), to: sums, count: width) }
        for y in 0..<height {
            let (above, below) = (row(y - box.radius - 1), row(y + box.radius + 1))
            Self.widen(sums, above, below, by: box.edge, into: target + y * width, count: width)
            Self.slide(sums, entering: below, leaving: row(y - box.radius), count: width)
        }
    }

    private static func add(
        _ row: UnsafePointer<Cell>, to sums: UnsafeMutablePointer<Cell>, count: Int
    ) {
        for x in 0..<count { sums[x] = sums[x] + row[x] }
    }

    private static func widen(
        _ sums: UnsafePointer<Cell>, _ above: UnsafePointer<Cell>, _ below: UnsafePointer<Cell>,
        by edge: Float, into target: UnsafeMutablePointer<Cell>, count: Int
    ) {
        for x in 0..<count { target[x] = sums[x] + (above[x] + below[x]) * edge }
    }

    private static func slide(
        _ sums: UnsafeMutablePointer<Cell>, entering: UnsafePointer<Cell>, leaving: UnsafePointer<Cell>,
        count: Int
    ) {
        for x in 0..<count { sums[x] = sums[x] + (entering[x] - leaving[x]) }
    }
}

/// The width of a box of which three, one after the other, blur nearly as a Gaussian does.
///
/// The samples at both ends count by a fraction, so that any variance is met exactly ("extended box filter",
/// Gwosdek et al. 2011).
struct BoxWidth: Equatable {
    /// Whole samples on each side of the middle.
    let radius: Int
    /// Weight of one more sample on each side, 0..<1.
    let edge: Float

    /// A width whose three boxes have this variance together, in samples squared.
    init(variance: Double) {
        let single = max(0, variance) / 3
        // A box of odd width w has the variance (w^2 - 1) / 12.
        let radius = Int(((12 * single + 1).squareRoot() - 1) / 2)
        let (width, next) = (Double(2 * radius + 1), Double((radius + 1) * (radius + 1)))
        let inner = Double(radius * (radius + 1)) * width / 3
        self.radius = radius
        edge = Float(max(0, (single * width - inner) / (2 * (next - single))))
    }

    /// By how much three boxes' sums exceed averages.
    var gain: Float {
        let width = Float(2 * radius + 1) + 2 * edge
        return width * width * width
    }

    /// Whether sums are what they were made of.
    var isTrivial: Bool { radius == 0 && edge == 0 }
}
