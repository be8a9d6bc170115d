/// Linear interpolation along a row: one tap per output.
package final class LinearTaps {
    private let buffer = ScratchBuffer<LinearTap>()
    /// Number of outputs.
    package private(set) var count = 0
    /// Samples in the rows that are read.
    package private(set) var samples = 0

    /// No taps yet.
    package init() {}

    /// The tap of output `index`.
    package subscript(index: Int) -> LinearTap { buffer.base[index] }

    /// Makes taps for outputs at the index positions that `position` gives.
    package func build(count: Int, samples: Int, position: (_ output: Int) -> Double) {
        (self.count, self.samples) = (count, samples)
        let taps = buffer.reserve(count)
        for output in 0..<count { taps[output] = LinearTap(position: position(output), samples: samples) }
    }

    /// Makes taps that resize rows of `samples` to `count` values, pixel centres aligned.
    package func build(count: Int, samples: Int) {
        (self.count, self.samples) = (count, samples)
        let taps = buffer.reserve(count)
        for output in 0..<count { taps[output] = LinearTap(output: output, of: count, samples: samples) }
    }

    /// Interpolates `row` at the outputs `outputs` and hands each result on, with its index.
    ///
    /// Inlined together with `body`, so that a caller's own arithmetic costs no second pass.
    ///
    /// - Parameter row: `samples` + 1 values, the last one repeated: the tap of the last sample reads its
    ///   right neighbour, with weight 0, so that the loop needs no test.
    @inline(__always)
    package func interpolate(
        _ row: UnsafePointer<Float>, _ outputs: Range<Int>, _ body: (_ output: Int, _ value: Float) -> Void
    ) {
        let taps = buffer.base
        for output in outputs {
            let tap = taps[output]
            let left = row[tap.first]
            body(output, left + (row[tap.first &+ 1] - left) * tap.fraction)
        }
    }
}
