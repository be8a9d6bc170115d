import PeopleVision
import Testing

struct ConfidenceMeanTests {
    @Test func pastValuesWeighFourFifths() {
        var mean = ConfidenceMean(1)
        mean.add(0.5)
        #expect(abs(mean.value - 0.9) < 1e-12)
        mean.add(presence: 0.5)
        #expect(abs(mean.value - 0.82) < 1e-12)
    }

    @Test func lowPresenceResetsTheMean() {
        var mean = ConfidenceMean(1)
        #expect(mean.mean(withPresence: 0.09) == 0.09)
        mean.add(presence: 0.09)
        #expect(mean.value == 0.09)
        mean.add(0)
        #expect(abs(mean.value - 0.072) < 1e-12)
    }
}
