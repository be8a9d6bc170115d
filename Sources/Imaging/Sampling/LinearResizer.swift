/// Reads an image at another size, row by row: linear interpolation, pixel centres aligned, edges repeated.
package final class LinearResizer {
    private let taps = LinearTaps()
    private let combined = ScratchBuffer<Float>()
    private let output = ScratchBuffer<Float>()
    private var height = 0

    /// A resizer without tables yet.
    package init() {}

    /// Starts reading `source` at `width` x `height`.
    package func begin(_ source: FloatImage, width: Int, height: Int) {
        self.height = height
        guard source.width != taps.samples || width != taps.count else { return }
        taps.build(count: width, samples: source.width)
        combined.reserve(source.width + 2)
        output.reserve(width)
    }

    /// Row `y` of the resized image, valid until the next one; `source` is the one given to `begin`.
    package func row(_ y: Int, of source: FloatImage) -> UnsafeMutablePointer<Float> {
        let (output, count) = (output.base, source.width)
        // One value more on either side: the neighbours of the edges repeat them.
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

    /// Fills `target` with `source`, resized to its size.
    package func resize(_ source: FloatImage, into target: FloatImage) {
        begin(source, width: target.width, height: target.height)
        for y in 0..<target.height { target.row(y).update(from: row(y, of: source), count: target.width) }
    }

    /// Twice as many values: weights are always a quarter and three, and neighbours lie side by side, so that
    /// the loop becomes vector code where that over taps loads value by value.
    private static func double(
        _ row: UnsafePointer<Float>, count: Int, into output: UnsafeMutablePointer<Float>
    ) {
        for x in 0..<count {
            output[2 &* x] = 0.75 * row[x] + 0.25 * row[x &- 1]
            output[2 &* x &+ 1] = 0.75 * row[x] + 0.25 * row[x &+ 1]
        }
    }
}
