/// The samples of a row (or column) that each output is computed from, and their weights.
///
/// An output averages a box around its position over the cells of the samples. A box one sample wide has
/// exactly the two weights of linear interpolation; a wider box is the area average that avoids aliasing.
/// Every output has the same number of taps (filled up with zero weights), so that the loops over them need
/// no tests.
final class AxisTaps {
    /// Number of samples that one output reads, at least one.
    private(set) var tapCount = 1
    /// Lowest sample index that any output reads.
    private(set) var first = 0
    /// One past the highest sample index that any output reads.
    private(set) var end = 1
    private let startBuffer = ScratchBuffer<Int32>()
    private let weightBuffer = ScratchBuffer<Float>()
    private let coverageBuffer = ScratchBuffer<Float>()

    /// Index of each output's first sample.
    var starts: UnsafePointer<Int32> { UnsafePointer(startBuffer.base) }
    /// The weights, `tapCount` per output.
    var weights: UnsafePointer<Float> { UnsafePointer(weightBuffer.base) }
    /// Sum of each output's weights; below 1 if the box reaches out of a frame with a black border.
    var coverage: UnsafePointer<Float> { UnsafePointer(coverageBuffer.base) }

    /// Whether every output is one sample.
    private(set) var isSingle = false

    /// Builds the table for outputs at index positions `origin` + (i + 0.5) `step`.
    func build(
        outputs: Int, samples: Int, origin: Double, step: Double, filter: TensorSampler.Filter,
        border: TensorSampler.Border
    ) {
        let boxWidth = filter == .area ? max(1, abs(step)) : 1
        tapCount = boxWidth < Double(samples) ? min(samples, Int(boxWidth.rounded(.up)) + 1) : samples
        (first, end) = (samples, 0)
        let starts = startBuffer.reserve(outputs)
        weightBuffer.reserve(outputs * tapCount).update(repeating: 0, count: outputs * tapCount)
        coverageBuffer.reserve(outputs)
        for output in 0..<outputs {
            let position = origin + (Double(output) + 0.5) * step
            let box = Box(low: position - boxWidth / 2, high: position + boxWidth / 2, border: border)
            let firstTouched = box.clampedIndex(of: box.low, samples: samples)
            let start = min(firstTouched, samples - tapCount)
            starts[output] = Int32(truncatingIfNeeded: start)
            fill(output: output, start: start, samples: samples, box: box)
            first = min(first, start)
            end = max(end, start + tapCount)
        }
        isSingle = tapCount == 2 && (0..<outputs).allSatisfy { weightBuffer.base[2 * $0 + 1] == 0 }
    }

    private func fill(output: Int, start: Int, samples: Int, box: Box) {
        let weights = weightBuffer.base + output * tapCount
        var sum: Float = 0
        for tap in 0..<tapCount {
            let weight = Float(box.share(ofSample: start + tap, samples: samples))
            weights[tap] = weight
            sum += weight
        }
        coverageBuffer.base[output] = box.border == .black ? sum : 1
    }
}

/// The interval of index positions that one output averages.
private struct Box {
    let low: Double
    let high: Double
    let border: TensorSampler.Border

    /// Returns the sample whose cell contains `position`, or the nearest one.
    func clampedIndex(of position: Double, samples: Int) -> Int {
        Int(min(max((position + 0.5).rounded(.down), 0), Double(samples - 1)))
    }

    /// Returns the share of the box in the cell of sample `index`.
    ///
    /// A replicated border is an edge cell without an outer end.
    func share(ofSample index: Int, samples: Int) -> Double {
        var (cellLow, cellHigh) = (Double(index) - 0.5, Double(index) + 0.5)
        if border == .replicate {
            if index == 0 { cellLow = -.infinity }
            if index == samples - 1 { cellHigh = .infinity }
        }
        return max(0, min(high, cellHigh) - max(low, cellLow)) / (high - low)
    }
}
