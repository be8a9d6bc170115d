package import Imaging

/// Random float images for comparing kernels with their plain definitions.
package struct RandomImages {
    private var generator: SeededGenerator

    /// Makes images that depend on `seed` only.
    package init(seed: UInt64 = 1) { generator = SeededGenerator(seed: seed) }

    /// Returns values from 0 to 1.
    package mutating func random(_ width: Int, _ height: Int) -> FloatImage {
        let image = FloatImage(width, height)
        for i in 0..<image.count { image.base[i] = Float(generator.number(0...1)) }
        return image
    }

    /// Ones among zeros, about a `share` of the values.
    package mutating func speckled(_ width: Int, _ height: Int, share: Double) -> FloatImage {
        let image = FloatImage(width, height)
        for i in 0..<image.count { image.base[i] = generator.number(0...1) < share ? 1 : 0 }
        return image
    }
}

extension FloatImage {
    /// Creates an image whose value at column x, row y is `value(x, y)`.
    package convenience init(_ width: Int, _ height: Int, _ value: (Int, Int) -> Float = { _, _ in 0 }) {
        self.init()
        resize(width: width, height: height)
        for y in 0..<height { for x in 0..<width { row(y)[x] = value(x, y) } }
    }

    /// The value at column `x`, row `y`.
    package subscript(x: Int, y: Int) -> Float { row(y)[x] }

    /// All values, row by row.
    package var array: [Float] { Array(values) }

    /// Returns the value at a fractional index, linear between neighbours, with repeated edges.
    package func value(atX x: Double, y: Double) -> Float {
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

    /// Returns the image at another size, linearly interpolated.
    package func resized(_ wide: Int, _ high: Int) -> FloatImage {
        FloatImage(wide, high) {
            value(
                atX: (Double($0) + 0.5) * Double(width) / Double(wide) - 0.5,
                y: (Double($1) + 0.5) * Double(height) / Double(high) - 0.5)
        }
    }

    /// Returns the mean of the window around a position, cut off at the edges.
    package func mean(_ x: Int, _ y: Int, radius: Int) -> Float {
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

/// Returns the largest difference between two lists of the same length.
package func distance(_ one: [Float], _ other: [Float]) -> Float {
    guard one.count == other.count else { return .infinity }
    return zip(one, other).map { abs($0 - $1) }.max() ?? 0
}

/// Sizes that catch off-by-one errors: odd, even, one pixel, narrow.
package let awkwardSizes = [(1, 1), (1, 9), (8, 1), (7, 5), (16, 12), (33, 18)]
