/// The samples of a row or column that each sample of a scaled image is computed from, and their weights.
///
/// The filter is the cubic one of Catmull and Rom ("A class of local interpolating splines", 1974), which keeps edges sharp.
/// The filter is wider by as much as the image shrinks, so that nothing aliases. Beyond the image its edge is repeated.
final class ScalingTaps {
    /// Number of samples of which each output is the sum; of rows of outputs a multiple of 8.
    private(set) var tapCount = 1
    private let startBuffer = ScratchBuffer<Int32>()
    private let wholeBuffer = ScratchBuffer<Int16>()
    private let weightBuffer = ScratchBuffer<Float>()

    /// Index of each output's first sample; at most `tapCount` samples before the end, where the image has so many.
    var starts: UnsafePointer<Int32> { UnsafePointer(startBuffer.base) }
    /// The weights in 1/16384, `tapCount` for each output; their sum is 16384.
    var wholeWeights: UnsafePointer<Int16> { UnsafePointer(wholeBuffer.base) }
    /// The weights, `tapCount` for each output; their sum is 1.
    var weights: UnsafePointer<Float> { UnsafePointer(weightBuffer.base) }
    /// Lowest and highest index of a sample with a weight, and the number of samples that may be read from the lowest on.
    private(set) var (first, end) = (0, 1)

    /// Weight of a whole number.
    private static let unit = 16384.0

    /// Builds the tables.
    ///
    /// - Parameters:
    ///   - outputs: number of outputs, at index positions `origin` + i `step` of the samples.
    ///   - samples: number of samples.
    ///   - multiple: number that `tapCount` is a multiple of; taps beyond the last sample have no weight.
    func build(outputs: Int, samples: Int, origin: Double, step: Double, multiple: Int) {
        let scale = max(1, step)
        let touched = min(samples, Int((4 * scale).rounded(.up)) + 1)
        tapCount = (touched + multiple - 1) / multiple * multiple
        (first, end) = (samples, 0)
        let starts = startBuffer.reserve(outputs)
        wholeBuffer.reserve(outputs * tapCount).update(repeating: 0, count: outputs * tapCount)
        weightBuffer.reserve(outputs * tapCount).update(repeating: 0, count: outputs * tapCount)
        for output in 0..<outputs {
            let position = origin + Double(output) * step
            let lowest = Self.whole((position - 2 * scale).rounded(.down) + 1)
            let start = min(max(lowest, 0), samples - touched)
            starts[output] = Int32(truncatingIfNeeded: start)
            let own = weightBuffer.base + output * tapCount
            for tap in 0..<(Int((4 * scale).rounded(.up)) + 1) {
                let index = lowest + tap
                let inside = min(max(index, start), start + touched - 1)
                own[inside - start] += Float(Self.filter((Double(index) - position) / scale))
            }
            normalise(output, own, touched)
            (first, end) = (min(first, start), max(end, start + touched))
        }
    }

    private func normalise(_ output: Int, _ own: UnsafeMutablePointer<Float>, _ touched: Int) {
        var sum: Float = 0
        for tap in 0..<touched { sum += own[tap] }
        let whole = wholeBuffer.base + output * tapCount
        // Sums are rounded instead of weights, so that no error adds up.
        var (share, last) = (0.0, 0.0)
        for tap in 0..<touched {
            own[tap] /= sum
            share += Double(own[tap])
            let rounded = (share * Self.unit).rounded()
            whole[tap] = Int16(truncatingIfNeeded: Int(rounded - last))
            last = rounded
        }
    }

    /// The cubic of Catmull and Rom at a distance in samples.
    private static func filter(_ distance: Double) -> Double {
        let x = abs(distance)
        if x < 1 { return (1.5 * x - 2.5) * x * x + 1 }
        if x < 2 { return ((-0.5 * x + 2.5) * x - 4) * x + 2 }
        return 0
    }

    /// Returns a whole number as one that fits 32 bits.
    private static func whole(_ value: Double) -> Int { Int(min(max(value, -0x1p31), 0x1p31)) }
}
