import Foundation
import PeopleVision
import Testing

/// The filter by itself.
struct OneEuroFilterTests {
    private let interval = 1.0 / 30

    @Test func aConstantStaysItself() {
        var filter = OneEuroFilter(minimumCutoff: 1, beta: 1)
        for _ in 0..<10 { #expect(filter.filter(0.7, interval: interval) == 0.7) }
    }

    /// A first-order low-pass with its cutoff at rest: the share of a step that is left after n samples.
    @Test func atRestItIsALowPass() {
        var filter = OneEuroFilter(minimumCutoff: 1, beta: 0)
        _ = filter.filter(0, interval: interval)
        let share = 1 / (1 + 1 / (2 * .pi * interval))
        for n in 1...20 {
            let expected = 1 - pow(1 - share, Double(n))
            #expect(abs(filter.filter(1, interval: interval) - expected) < 1e-12)
        }
    }

    @Test func withoutTimeThereIsNoMemory() {
        var filter = OneEuroFilter(minimumCutoff: 1, beta: 0)
        _ = filter.filter(0, interval: interval)
        #expect(filter.filter(1, interval: 0) == 1)
        #expect(filter.filter(2, interval: .nan) == 2)
    }
}
