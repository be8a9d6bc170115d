import Imaging
import Testing

/// Returns the value by the definition, in doubles: each of the two neighbours has the weight 1 - its
/// distance.
@Suite struct LinearTapTests {
    private func plain(_ values: [Float], at position: Double) -> Double {
        let inside = min(max(position, 0), Double(values.count - 1))
        return values.enumerated().reduce(0) { sum, sample in
            sum + max(0, 1 - abs(inside - Double(sample.offset))) * Double(sample.element)
        }
    }

    private let row: [Float] = [0.25, -1, 8, 0.5, 0.75, 3, 2]

    @Test(arguments: 1...7) func aRowIsInterpolatedAtAnyPosition(samples: Int) {
        let values = Array(row.prefix(samples))
        let repeated = values + values.suffix(1)
        let positions = (-8...(4 * samples + 8)).map { Double($0) / 4 }
        let taps = LinearTaps()
        taps.build(count: positions.count, samples: samples) { positions[$0] }
        #expect(taps.count == positions.count && taps.samples == samples)
        taps.interpolate(repeated, 0..<positions.count) { output, value in
            #expect(abs(Double(value) - plain(values, at: positions[output])) < 1e-5, "\(positions[output])")
        }
        #expect(taps[0].first == 0 && taps[0].last == 0)
        #expect(taps[positions.count - 1].last == samples - 1)
    }

    @Test(arguments: [1, 2, 5, 7, 14, 31]) func resizingAlignsPixelCentres(count: Int) {
        let taps = LinearTaps()
        taps.build(count: count, samples: row.count)
        taps.interpolate(row + row.suffix(1), 0..<count) { output, value in
            let position = (Double(output) + 0.5) * Double(row.count) / Double(count) - 0.5
            #expect(abs(Double(value) - plain(row, at: position)) < 1e-5)
        }
    }

    @Test(arguments: [1, 2]) func rowsAreInterpolatedDownTheColumns(stride: Int) {
        let lower = row.reversed().map { $0 * 2 }
        for position in [0, 0.25, 0.9, 1, 7] {
            let tap = LinearTap(position: position, samples: 2)
            let rows = [row, lower]
            var columns = 0
            tap.interpolate(
                rows[tap.first], rows[tap.last], count: row.count / stride, stride: stride
            ) { column, value in
                let expected = plain([row[column * stride], lower[column * stride]], at: position)
                #expect(abs(Double(value) - expected) < 1e-5)
                columns += 1
            }
            #expect(columns == row.count / stride)
        }
    }
}
