import Imaging
import TestSupport

/// Random grids and plain definitions that the kernels are compared with.
struct Grids {
    private var generator: SeededGenerator

    init(seed: UInt64 = 1) { generator = SeededGenerator(seed: seed) }

    /// Values from 0 to 1.
    mutating func random(_ width: Int, _ height: Int) -> MaskGrid {
        let grid = MaskGrid(width, height)
        for i in 0..<grid.count { grid.base[i] = Float(generator.number(0...1)) }
        return grid
    }

    /// About a `share` of ones among zeros.
    mutating func speckled(_ width: Int, _ height: Int, share: Double) -> MaskGrid {
        let grid = MaskGrid(width, height)
        for i in 0..<grid.count { grid.base[i] = generator.number(0...1) < share ? 1 : 0 }
        return grid
    }
}

extension MaskGrid {
    convenience init(_ width: Int, _ height: Int, _ value: (Int, Int) -> Float = { _, _ in 0 }) {
        self.init()
        resize(width: width, height: height)
        for y in 0..<height { for x in 0..<width { row(y)[x] = value(x, y) } }
    }

    subscript(x: Int, y: Int) -> Float { row(y)[x] }

    var array: [Float] { Array(values) }

    /// The value at an index position, linear between neighbours, edges repeated.
    func value(atX x: Double, y: Double) -> Float {
        let (x, y) = (min(max(x, 0), Double(width - 1)), min(max(y, 0), Double(height - 1)))
        var sum = 0.0
        for row in Int(y)...min(height - 1, Int(y) + 1) {
            for column in Int(x)...min(width - 1, Int(x) + 1) {
                let weight = max(0, 1 - abs(x - Double(column))) * max(0, 1 - abs(y - Double(row)))
                sum += weight * Double(self[column, row])
            }
        }
        return Float(sum)
    }

    /// The grid at another size, linear between values.
    func stretched(_ wide: Int, _ high: Int) -> MaskGrid {
        MaskGrid(wide, high) {
            value(
                atX: (Double($0) + 0.5) * Double(width) / Double(wide) - 0.5,
                y: (Double($1) + 0.5) * Double(height) / Double(high) - 0.5)
        }
    }

    /// The mean of the window around a place, cut off at the edges.
    func mean(_ x: Int, _ y: Int, radius: Int) -> Float {
        var (sum, count) = (0.0, 0.0)
        for v in max(0, y - radius)...min(height - 1, y + radius) {
            for u in max(0, x - radius)...min(width - 1, x + radius) {
                sum += Double(self[u, v])
                count += 1
            }
        }
        return Float(sum / count)
    }
}

/// The largest difference between two lists of the same length.
func distance(_ one: [Float], _ other: [Float]) -> Float {
    guard one.count == other.count else { return .infinity }
    return zip(one, other).map { abs($0 - $1) }.max() ?? 0
}

/// Sizes that catch off-by-one errors: odd, even, one pixel, narrow.
let awkwardSizes = [(1, 1), (1, 9), (8, 1), (7, 5), (16, 12), (33, 18)]
