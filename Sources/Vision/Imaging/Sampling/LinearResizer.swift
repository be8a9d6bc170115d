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

/// Linear interpolation at one position of an axis: between the sample `index` and its right neighbour.
///
/// This and `LinearTaps` are the library's only linear interpolation of floats: a row is interpolated down the
/// columns first, then expanded along the row. Frames are sampled by `AxisTaps` instead, which also averages
/// areas and reads samples of any format, and rotated frames by `SampleGrid`, point by point.
package struct LinearTap: BitwiseCopyable {
    /// The index of the left sample.
    let index: Int32
    /// Weight of the right sample, 0...1; the left sample has the rest.
    let fraction: Float

    init(index: Int32, fraction: Float) { (self.index, self.fraction) = (index, fraction) }

    /// Creates the tap for an index position (whole at a sample's centre); positions outside read the edge
    /// sample.
    package init(position: Double, samples: Int) {
        let inside = min(max(position, 0), Double(samples - 1))
        let left = Int(inside)
        index = Int32(truncatingIfNeeded: left)
        fraction = Float(inside - Double(left))
    }

    /// Creates the tap of output `output` of `count` where `samples` samples cover the same extent, with
    /// pixel centres aligned.
    package init(output: Int, of count: Int, samples: Int) {
        self.init(position: (Double(output) + 0.5) * Double(samples) / Double(count) - 0.5, samples: samples)
    }

    /// The index of the left sample as a row number.
    package var first: Int { Int(index) }

    /// The index of the right sample if it has any weight, else of the left one: never beyond the last
    /// sample.
    package var last: Int { Int(index) &+ (fraction > 0 ? 1 : 0) }

    /// Interpolates between two rows of `count` values and passes each result to `body`, with its column.
    ///
    /// The function is inlined together with `body`, so that a caller's own arithmetic joins the loop and the
    /// compiler vectorizes both.
    ///
    /// - Parameters:
    ///   - upper: the row `first`.
    ///   - lower: the row `last`.
    ///   - stride: number of values from one column to the next.
    @inline(__always)
    package func interpolate(
        _ upper: UnsafePointer<Float>, _ lower: UnsafePointer<Float>, count: Int, stride: Int = 1,
        _ body: (_ column: Int, _ value: Float) -> Void
    ) {
        let fraction = fraction
        for x in 0..<count {
            let value = upper[x &* stride]
            body(x, value + (lower[x &* stride] - value) * fraction)
        }
    }
}

/// Linear interpolation along a row: one tap per output.
package final class LinearTaps {
    private let indexBuffer = ScratchBuffer<Int32>()
    private let fractionBuffer = ScratchBuffer<Float>()
    /// Number of outputs.
    package private(set) var count = 0
    /// Number of samples in the rows that are read.
    package private(set) var samples = 0

    /// Creates an object without taps.
    package init() {}

    /// `LinearTap.index` of each output.
    var indices: UnsafePointer<Int32> { UnsafePointer(indexBuffer.base) }
    /// `LinearTap.fraction` of each output.
    var fractions: UnsafePointer<Float> { UnsafePointer(fractionBuffer.base) }

    /// Returns the tap of output `index`.
    package subscript(index: Int) -> LinearTap {
        LinearTap(index: indices[index], fraction: fractions[index])
    }

    /// Creates taps for outputs at the index positions that `position` returns.
    package func build(count: Int, samples: Int, position: (_ output: Int) -> Double) {
        build(count: count, samples: samples) { LinearTap(position: position($0), samples: samples) }
    }

    /// Creates taps that resize rows of `samples` to `count` values, with pixel centres aligned.
    package func build(count: Int, samples: Int) {
        build(count: count, samples: samples) { LinearTap(output: $0, of: count, samples: samples) }
    }

    private func build(count: Int, samples: Int, tap: (_ output: Int) -> LinearTap) {
        (self.count, self.samples) = (count, samples)
        let (indices, fractions) = (indexBuffer.reserve(count), fractionBuffer.reserve(count))
        for output in 0..<count {
            let tap = tap(output)
            (indices[output], fractions[output]) = (tap.index, tap.fraction)
        }
    }

    /// Interpolates `row` at the outputs `outputs` and passes each result to `body`, with its index.
    ///
    /// The function is inlined together with `body`, so that a caller's own arithmetic costs no second pass.
    ///
    /// - Parameter row: `samples` + 1 values, the last one repeated: the tap of the last sample reads its
    ///   right neighbour, with weight 0, so that the loop needs no test.
    @inline(__always)
    package func interpolate(
        _ row: UnsafePointer<Float>, _ outputs: Range<Int>, _ body: (_ output: Int, _ value: Float) -> Void
    ) {
        let (indices, fractions) = (indices, fractions)
        for output in outputs {
            let index = Int(indices[output])
            let left = row[index]
            body(output, left + (row[index &+ 1] - left) * fractions[output])
        }
    }
}
