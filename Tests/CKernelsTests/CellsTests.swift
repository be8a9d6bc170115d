import CKernels
import TestSupport
import Testing

@Suite struct CellsTests {
    @Test(arguments: rowLengths, 1...8)
    func rowsAreSummedWithTheirWeight(count: Int, rows: Int) {
        var generator = SeededGenerator(seed: 2)
        let stride = count + 5
        let bytes: [UInt8] = generator.integers(rows * stride, 0...255)
        let words: [UInt16] = generator.integers(rows * stride, 0...65535)
        var (byteSums, wordSums) = (
            [UInt32](repeating: 7, count: count), [UInt32](repeating: 7, count: count)
        )
        kernel_sum_rows_u8(bytes, stride, rows, 256, &byteSums, count)
        kernel_sum_rows_u16(words, stride, rows, 3, &wordSums, count)
        for i in 0..<count {
            let places = (0..<rows).map { $0 * stride + i }
            #expect(byteSums[i] == places.reduce(7) { $0 + 256 * UInt32(bytes[$1]) })
            #expect(wordSums[i] == places.reduce(7) { $0 + 3 * UInt32(words[$1]) })
        }
    }

    @Test(arguments: rowLengths)
    func backgroundIsWeighedByAlpha(count: Int) {
        var generator = SeededGenerator(seed: 3)
        let bytes: [UInt8] = generator.integers(count, 0...255)
        let words = bytes.map { UInt16($0) * 257 }
        let alpha: [UInt16] = generator.integers(count - 1, 0...65535) + [65535]
        var (sums, weights) = ([UInt32](repeating: 1, count: count), [UInt32](repeating: 2, count: count))
        kernel_sum_background_u8(bytes, alpha, &sums, &weights, count)
        kernel_sum_background_u16(words, alpha, &sums, &weights, count)
        kernel_add_u32(&weights, 5, count)
        for i in 0..<count {
            let weight = 256 - UInt32(alpha[i] >> 8)
            #expect(sums[i] == 1 + weight * UInt32(bytes[i]) * 258 && weights[i] == 7 + 2 * weight)
        }
    }

    @Test(arguments: [1, 2, 3, 4], [1, 2, 3, 4, 5, 6, 8])
    func cellsAreSums(step: Int, side: Int) {
        var generator = SeededGenerator(seed: 4)
        for count in rowLengths {
            let values: [UInt32] = generator.integers(count * step, 0...1_000_000)
            let cellCount = (count + side - 1) / side + 1
            var cells = [UInt32](repeating: 9, count: cellCount)
            kernel_sum_cells(values, step, side, count, &cells, cellCount)
            let expected = (0..<cellCount).map { cell -> UInt32 in
                let places = (cell * side..<(cell + 1) * side).filter { $0 < count }
                return places.reduce(0) { $0 + values[$1 * step] }
            }
            #expect(cells == expected)
        }
    }

    @Test(arguments: rowLengths)
    func cellsAreWeighedAndNormalised(count: Int) {
        var generator = SeededGenerator(seed: 5)
        let sums: [UInt32] = generator.integers(count, 0...1_000_000_000)
        let weights: [UInt32] = generator.integers(count - 1, 1...16384) + [0]
        var (shares, values) = ([Float](repeating: 0, count: count), [Float](repeating: 0, count: count))
        kernel_share_cells(weights, 16384, &shares, count)
        #expect(worst(shares, weights.map { Double($0) / 16384 }) < 1e-6)
        kernel_weigh_cells(sums, weights, shares, &values, count)
        let exact = zip(sums, weights).map { Double($0) / Double(max($1, 1)) * Double($1) / 16384 }
        #expect(zip(values, exact).allSatisfy { abs(Double($0) - $1) <= 1e-6 * $1 })
        kernel_normalise_cells(&values, shares, 0.5, 255, count)
        let inside = zip(sums, weights).map { min(Double($0) / Double(max($1, 1)) * 0.5, 255) }
        #expect(zip(values, inside).dropLast().allSatisfy { abs(Double($0) - $1) < 1e-3 })
        // Without weight the value is 0, and not an undefined number.
        #expect(values.last == 0)
    }
}
