import CKernels
import TestSupport
import Testing

@Suite struct SmoothingTests {
    private let limits = kernel_smoothing(
        strength: 0.9, doubt: 0.6, rest_middle: 0.9, rest_slope: 5, history_middle: 2, history_slope: 0.5)

    /// The mean, age and last measurement of a place.
    private struct Place {
        var mean, age, last: Double
    }

    private func step(_ value: Double, _ middle: Float, _ slope: Float) -> Double {
        min(max((value - Double(middle)) * Double(slope) + 0.5, 0), 1)
    }

    /// Returns a place after `value` was measured there.
    private func smoothed(_ place: Place, _ value: Double, still: Double) -> Place {
        let (change, doubt) = (value - place.mean, Double(limits.doubt))
        let contradiction = { (difference: Double) in min(max((difference - doubt) / (1 - doubt), 0), 1) }
        let sameDirection = min(max(2 * (place.last - place.mean) * change, 0), change * change)
        let confirmed = change == 0 ? 0 : sameDirection / abs(change)
        let patience =
            step(still, limits.rest_middle, limits.rest_slope)
            * step(place.age, limits.history_middle, limits.history_slope)
        let counted = contradiction((1 - patience) * abs(change) + patience * confirmed)
        let age = (place.age + 1) * still * Double(limits.strength) * (1 - counted)
        let isMeasured = 1 - (contradiction(abs(change)) - counted)
        return Place(mean: place.mean + change * isMeasured / (age + 1), age: age, last: value)
    }

    @Test(arguments: rowLengths) func rowsBecomeMeansOverTime(count: Int) {
        var generator = SeededGenerator(seed: 31)
        var mean = generator.floats(count, 0...1)
        var age = generator.floats(count, 0...5)
        var last = generator.floats(count, 0...1)
        var places = (0..<count).map {
            Place(mean: Double(mean[$0]), age: Double(age[$0]), last: Double(last[$0]))
        }
        for _ in 0..<4 {
            var values = generator.floats(count, 0...1)
            // Some values do not change, and some places are at rest.
            for i in stride(from: 0, to: count, by: 5) { values[i] = mean[i] }
            let still = generator.floats(count, 0.6...1.1).map { min($0, 1) }
            places = (0..<count).map { smoothed(places[$0], Double(values[$0]), still: Double(still[$0])) }
            var limits = limits
            kernel_smooth_row(&values, &mean, &age, &last, still, &limits, count)
            #expect(worst(mean, places.map(\.mean)) < 1e-4)
            #expect(worst(age, places.map(\.age)) < 1e-3)
            #expect(worst(last, places.map(\.last)) < 1e-6)
            #expect(values == mean)
        }
    }
}
