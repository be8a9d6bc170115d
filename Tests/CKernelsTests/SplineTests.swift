import CKernels
import TestSupport
import Testing

@Suite struct SplineTests {
    private static let patterns = [
        (1, 1), (1, 2), (1, 3), (1, 4), (1, 6), (1, 8), (2, 2), (2, 4), (2, 6), (2, 8), (3, 6), (3, 18),
        (3, 24),
        (4, 4), (4, 8), (4, 12), (4, 16), (4, 24), (4, 32),
    ]

    @Test(arguments: patterns)
    func cellsAreExpandedByTheirWeights(period: Int, size: Int) {
        var generator = SeededGenerator(seed: 7)
        let count = 9
        let cells = generator.floats((count + 2) * period, 0...255)
        let (lefts, rights) = (generator.floats(size, 0...0.5), generator.floats(size, 0...0.5))
        for range in [0..<count * size, 1..<2, size..<2 * size, 1..<count * size - 1, size / 2..<3 * size] {
            var values = [Float](repeating: 99, count: count * size)
            cells.withUnsafeBufferPointer { cells in
                guard let first = cells.baseAddress.map({ $0 + period }) else { return }
                kernel_expand_cells(
                    first, period, size, lefts, rights, range.lowerBound, range.upperBound, &values)
            }
            let exact = range.map { (i: Int) -> Double in
                let (place, k) = ((i / size + 1) * period + i % size % period, i % size)
                let (left, middle, right) = (cells[place - period], cells[place], cells[place + period])
                let change = (left - middle) * lefts[k] + (right - middle) * rights[k]
                return Double(middle) + Double(change)
            }
            #expect(worst(values[range], exact) < 1e-4)
            #expect(values.indices.allSatisfy { range.contains($0) || values[$0] == 99 })
        }
    }

    @Test(arguments: rowLengths)
    func rowsAreMixedAndRounded(count: Int) {
        var generator = SeededGenerator(seed: 8)
        let rows = (0..<3).map { _ in generator.floats(count, 0...255) }
        var bytes = [UInt8](repeating: 0, count: count)
        var words = [UInt16](repeating: 0, count: count)
        kernel_spline_rows_u8(rows[0], rows[1], rows[2], 0.125, 0.75, 0.125, &bytes, count, 0)
        kernel_spline_rows_u16(rows[0], rows[1], rows[2], 0.125, 0.75, 0.125, &words, count, 6)
        let exact = (0..<count).map { (i: Int) -> Double in
            let outer = Double(rows[0][i] + rows[2][i])
            return 0.125 * outer + 0.75 * Double(rows[1][i])
        }
        #expect(worst(bytes, exact) < 0.501 && worst(words.map { $0 >> 6 }, exact) < 0.501)
        #expect(words.allSatisfy { $0 & 63 == 0 })
    }

    @Test(arguments: rowLengths)
    func rowsAreInterleaved(count: Int) {
        var generator = SeededGenerator(seed: 8)
        let rows = (0..<4).map { _ in generator.floats(count, 0...255) }
        for period in 2...4 {
            var values = [Float](repeating: 0, count: period * count)
            kernel_interleave(rows[0], rows[1], rows[2], rows[3], period, &values, count)
            #expect(values.indices.allSatisfy { values[$0] == rows[$0 % period][$0 / period] })
        }
    }
}
