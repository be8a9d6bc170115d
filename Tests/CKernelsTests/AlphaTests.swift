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
        let indices: [Int32] = generator.integers(count, 0...19)
        let fractions = generator.floats(count, 0...1)
        let exact = zip(indices, fractions).map { index, fraction in
            let (left, right) = (Double(row[Int(index)]), Double(row[Int(index) + 1]))
            return left + (right - left) * Double(fraction)
        }
        var alpha = [UInt16](repeating: 0, count: count)
        kernel_interpolate_alpha(row, indices, fractions, &alpha, count)
        #expect(worst(alpha, exact) < 0.52)
        kernel_interpolate_steep_alpha(row, indices, fractions, 3, &alpha, count)
        #expect(worst(alpha, exact.map { min(max(($0 - 32767.5) * 3 + 32767.5, 0), 65535) }) < 0.53)
    }

    @Test func whatRoundsToAnEndIsCertain() {
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
