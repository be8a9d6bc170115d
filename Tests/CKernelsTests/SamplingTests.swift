import CKernels
import TestSupport
import Testing

@Suite struct SamplingTests {
    @Test(arguments: [1, 2, 4], rowLengths)
    func rowsAreSampledAtTheirTaps(step: Int, count: Int) {
        var generator = SeededGenerator(seed: 12)
        let (upper, lower): ([UInt8], [UInt8]) = (
            generator.integers(50 * step, 0...255), generator.integers(50 * step, 0...255)
        )
        let starts: [Int32] = generator.integers(count, 0...48)
        var weights = generator.floats(2 * count, 0...1)
        let coverage = generator.floats(count, 0...1)
        var combined = [Float](repeating: 0, count: 50 * step)
        kernel_combine_rows_u8(upper, lower, 0.3, 0.6, &combined, 50 * step)
        #expect(worst(combined, zip(upper, lower).map { 0.3 * Double($0) + 0.6 * Double($1) }) < 1e-4)
        for isSingle in [false, true] {
            if isSingle { for i in 0..<count { weights[2 * i + 1] = 0 } }
            let exact = { (row: (Int) -> Double) in
                (0..<count).map { i in
                    let place = Int(starts[i]) * step
                    return 0.5
                        * (row(place) * Double(weights[2 * i]) + row(place + step)
                            * Double(weights[2 * i + 1]))
                        - 16 * Double(coverage[i])
                }
            }
            var values = [Float](repeating: 0, count: count)
            kernel_sample_row_u8(
                upper, 0.5, starts, weights, coverage, step, isSingle ? 1 : 0, 16, &values, count)
            #expect(worst(values, exact { Double(upper[$0]) }) < 1e-3)
            kernel_sample_row_f32(
                combined, 0.5, starts, weights, coverage, step, isSingle ? 1 : 0, 16, &values, count)
            #expect(worst(values, exact { Double(combined[$0]) }) < 1e-3)
        }
    }

    @Test(arguments: [1, 3], rowLengths)
    func linesAreSampledLinearly(step: Int, count: Int) {
        var generator = SeededGenerator(seed: 14)
        let (width, height, pitch) = (23, 17, 23 * step + 5)
        let bytes: [UInt8] = generator.integers(pitch * height, 0...255)
        // The positions begin and end outside the grid.
        let (x, y) = (-3.7, 19.2)
        let (stepX, stepY) = (31.4 / Double(count), -25.8 / Double(count))
        let fixed = [x, y, stepX, stepY].map { Int64($0 * 0x1p24) }
        var (values, wide) = ([Float](repeating: 7, count: count), [Float](repeating: 7, count: count))
        kernel_add_line_u8(
            bytes, pitch, step, width, height, fixed[0], fixed[1], fixed[2], fixed[3], &values, count)
        kernel_add_line_u16(
            bytes.map { 256 * UInt16($0) }, pitch, step, width, height, fixed[0], fixed[1], fixed[2],
            fixed[3],
            &wide, count)
        let sample = { (x: Int, y: Int) in
            Double(bytes[min(max(y, 0), height - 1) * pitch + min(max(x, 0), width - 1) * step])
        }
        let exact = (0..<count).map { i in
            let (u, v) = (x + Double(i) * stepX, y + Double(i) * stepY)
            let (column, row) = (Int(u.rounded(.down)), Int(v.rounded(.down)))
            let (a, b) = (u - Double(column), v - Double(row))
            return (1 - b) * ((1 - a) * sample(column, row) + a * sample(column + 1, row))
                + b * ((1 - a) * sample(column, row + 1) + a * sample(column + 1, row + 1))
        }
        #expect(worst(values, exact.map { 7 + $0 }) < 0.01)
        #expect(worst(wide, exact.map { 7 + 256 * $0 }) < 2.5)
    }

    @Test(arguments: [(3, 1), (1, 300), (5, 1)], rowLengths)
    func colorsAreMatrixProducts(strides: (Int, Int), count: Int) {
        var generator = SeededGenerator(seed: 13)
        let parts = (0..<3).map { _ in generator.floats(count, -1...1) }
        let matrix = generator.floats(9, -1...1)
        var pixels = [Float](repeating: 9, count: count * strides.0 + 2 * strides.1)
        kernel_convert_row(
            parts[0], parts[1], parts[2], matrix, 0.1, -1, 1, &pixels, strides.0, strides.1, count)
        for i in 0..<count {
            for channel in 0..<3 {
                let sum = (0..<3).reduce(0.1) { $0 + Double(parts[$1][i]) * Double(matrix[3 * $1 + channel]) }
                #expect(
                    abs(Double(pixels[i * strides.0 + channel * strides.1]) - min(max(sum, -1), 1)) < 1e-5)
            }
        }
    }
}
