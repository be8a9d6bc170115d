import CKernels
import TestSupport
import Testing

@Suite struct BoxTests {
    /// Returns one box sum, value by value.
    private func once(_ line: [Double], _ radius: Int, _ edge: Double) -> [Double] {
        let (count, period) = (line.count, 2 * line.count)
        let value = { (place: Int) in
            let inside = ((place % period) + period) % period
            return line[min(inside, 2 * count - 1 - inside)]
        }
        return line.indices.map { x in
            (-radius...radius).reduce((value(x - radius - 1) + value(x + radius + 1)) * edge) {
                $0 + value(x + $1)
            }
        }
    }

    private func thrice(_ line: [Double], _ radius: Int, _ edge: Double) -> [Double] {
        once(once(once(line, radius, edge), radius, edge), radius, edge)
    }

    @Test(arguments: [0, 1, 2, 3, 4, 5, 7, 11, 40], [0, 0.4])
    func gridsAreSummedThreeTimesEachWay(radius: Int, edge: Double) {
        var generator = SeededGenerator(seed: 6)
        for (width, height) in [(1, 1), (3, 5), (19, 8), (70, 33)] {
            var grid = generator.floats(width * height, 0...255)
            let rows = (0..<height).map { y in (0..<width).map { Double(grid[y * width + $0]) } }
                .map { thrice($0, radius, edge) }
            let columns = (0..<width).map { x in thrice(rows.map { $0[x] }, radius, edge) }
            var scratch = [Float](repeating: .nan, count: 6 * (width + radius + 1))
            kernel_blur_rows(&grid, width, height, radius, Float(edge), &scratch)
            scratch = [Float](repeating: .nan, count: width * (2 * height + 12))
            let pitch = width
            grid.withUnsafeMutableBufferPointer { grid in
                guard let base = grid.baseAddress else { return }
                let half = width / 2
                kernel_blur_columns(base, pitch, half, height, radius, Float(edge), &scratch)
                kernel_blur_columns(base + half, pitch, width - half, height, radius, Float(edge), &scratch)
            }
            let exact = (0..<height).flatMap { y in (0..<width).map { columns[$0][y] } }
            #expect(zip(grid, exact).allSatisfy { abs(Double($0) - $1) <= 1e-4 * $1 }, "\(width)x\(height)")
        }
    }
}
