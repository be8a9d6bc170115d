import CKernels
import TestSupport
import Testing

@Suite struct AlphaTests {
    @Test(arguments: rowLengths)
    func alphaIsInterpolatedLinearly(count: Int) {
        var generator = SeededGenerator(seed: 1)
        let (upper, lower) = (generator.floats(21, 0...65535), generator.floats(21, 0...65535))
        var row = [Float](repeating: 0, count: 21)
        kernel_interpolate_rows(upper, lower, 0.3, &row, 21)
        #expect(worst(row, zip(upper, lower).map { Double($0) * 0.7 + Double($1) * 0.3 }) < 0.02)
        // Spans of packed samples go back and forth.
        let lengths: [Int] = generator.integers(count, 1...20)
        var spans: [kernel_alpha_span] = []
        for (column, length) in zip(generator.integers(count, 0...19) as [Int32], lengths) {
            let end = (spans.last?.end ?? 0) + Int32(length)
            spans.append(kernel_alpha_span(column: column, end: end))
        }
        let samples = Int(spans.last?.end ?? 0)
        let fractions = generator.floats(samples + Int(KERNEL_ALPHA_BLOCK) - 1, 0...1)
        let columns = zip(spans, lengths).flatMap { repeatElement(Int($0.column), count: $1) }
        let exact = zip(columns, fractions).map { column, fraction in
            Double(row[column]) + Double(row[column + 1] - row[column]) * Double(fraction)
        }
        let first = lengths[0] / 2
        var alpha = [UInt16](repeating: 0, count: fractions.count)
        kernel_interpolate_alpha(row, spans, fractions, &alpha, first, samples)
        #expect(worst(alpha[first..<samples], exact[first...]) < 0.52)
        #expect(alpha[..<first].allSatisfy { $0 == 0 })
        kernel_interpolate_steep_alpha(row, spans, fractions, 3, &alpha, first, samples)
        let steep = exact.map { min(max(($0 - 32767.5) * 3 + 32767.5, 0), 65535) }
        #expect(worst(alpha[first..<samples], steep[first...]) < 0.53)
    }

    @Test func classifiesValuesThatRoundToTheEndsAsCertain() {
        let values: [Float] = [0, 128, 129, 30000, 65406, 65407, 65535]
        var certainty = [UInt8](repeating: 9, count: 7)
        kernel_classify(values, 1, 255 / 65535, 255, &certainty, 7)
        #expect(certainty == [0, 0, 1, 1, 1, 2, 2])
        kernel_classify(values, 1.2, 255 / 65535, 255, &certainty, 7)
        #expect(certainty == [0, 0, 0, 1, 2, 2, 2])
        var both = [UInt8](repeating: 9, count: 9)
        kernel_agree([0, 0, 0, 1, 1, 1, 2, 2, 2], [0, 1, 2, 0, 1, 2, 0, 1, 2], &both, 9)
        #expect(both == [0, 1, 1, 1, 1, 1, 1, 1, 2])
    }
}
