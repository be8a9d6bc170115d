import PeopleVision
import Testing

struct TrackingLimitsTests {
    @Test(arguments: [(0.0, 0.05), (0.3, 0.3), (0.5, 0.5), (0.9, 0.5)])
    func tracksLastLongerThanTheyAreReported(minimum: Double, least: Double) {
        let limits = TrackingLimits(maximumCount: 3, reportedFrom: minimum)
        #expect(limits.maximumCount == 3 && limits.minimumPresence == least)
    }
}
