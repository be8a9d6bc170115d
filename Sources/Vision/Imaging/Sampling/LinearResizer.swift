/// Reads an image at another size, row by row: linear interpolation, pixel centres aligned, edges repeated.
package final class LinearResizer {
    private let taps = LinearTaps()
    private let combined = ScratchBuffer<Float>()
    private let output = ScratchBuffer<Float>()
    private var height = 0

    /// Creates a resizer without tables.
    package init() {}

    /// Starts reading `source` at `width` x `height`.
    package func begin(_ source: FloatImage, width: Int, height: Int) {
        self.height = height
        guard source.width != taps.samples || width != taps.count else { return }
        taps.build(count: width, samples: source.width)
        combined.reserve(source.width + 2)
        output.reserve(width)
    }

    /// Returns row `y` of the resized image, valid until the next row; `source` is the one given to `begin`.
    package func row(_ y: Int, of source: FloatImage) -> UnsafeMutablePointer<Float> {
        let (output, count) = (output.base, source.width)
        // The row has one more value on either side, which repeats the edge.
        let combined = combined.base + 1
        let tap = LinearTap(output: y, of: height, samples: source.height)
        tap.interpolate(source.row(tap.first), source.row(tap.last), count: count) { combined[$0] = $1 }
        (combined[-1], combined[count]) = (combined[0], combined[count - 1])
        if taps.count == 2 * count {
            Self.double(combined, count: count, into: output)
        } else {
            taps.interpolate(combined, 0..<taps.count) { output[$0] = $1 }
        }
        return output
    }

    /// Fills `target` with `source`, resized to the size of `target`.
    package func resize(_ source: FloatImage, into target: FloatImage) {
        begin(source, width: target.width, height: target.height)
        for y in 0..<target.height { target.row(y).update(from: row(y, of: source), count: target.width) }
    }

    /// Doubles the number of values.
    ///
    /// Weights are always a quarter and three quarters, and neighbours lie side by side. The compiler
    /// therefore vectorizes this loop; the loop over taps loads value by value.
    private static func double(
        _ row: UnsafePointer<Float>, count: Int, into output: UnsafeMutablePointer<Float>
    ) {
        for x in 0..<count {
            output[2 &* x] = 0.75 * row[x] + 0.25 * row[x &- 1]
            output[2 &* x &+ 1] = 0.75 * row[x] + 0.25 * row[x &+ 1]
        }
    }
}

/// Resizes a part of an image by linear interpolation.
package final class CropResizer {
    private let taps = LinearTaps()
    private let combined = ScratchBuffer<Float>()

    /// Creates a resizer without tables.
    package init() {}

    /// Fills `target` with `crop` of `source`; edge values are repeated beyond the image.
    ///
    /// - Parameter crop: a rectangle in the unit square of `source`.
    package func resize(_ crop: Rectangle, of source: FloatImage, into target: FloatImage) {
        guard source.count > 0 else { return target.fill(0) }
        taps.build(count: target.width, samples: source.width) {
            Self.position($0, of: target.width, crop.x, crop.width, samples: source.width)
        }
        // The row has one more value, because the tap of the last value reads its neighbour.
        let (combined, last) = (combined.reserve(source.width + 1), source.width)
        for y in 0..<target.height {
            let position = Self.position(y, of: target.height, crop.y, crop.height, samples: source.height)
            let tap = LinearTap(position: position, samples: source.height)
            tap.interpolate(source.row(tap.first), source.row(tap.last), count: last) { combined[$0] = $1 }
            combined[last] = combined[last - 1]
            let row = target.row(y)
            taps.interpolate(combined, 0..<target.width) { row[$0] = $1 }
        }
    }

    /// Returns the position of the output `index` of `count` among samples, with pixel centres aligned.
    private static func position(
        _ index: Int, of count: Int, _ origin: Double, _ extent: Double, samples: Int
    ) -> Double {
        (origin + (Double(index) + 0.5) / Double(count) * extent) * Double(samples) - 0.5
    }
}
