import GStreamerKit
import Testing

/// The decision which frames are late, in milliseconds here.
struct QualityOfServiceTests {
    private var quality = QualityOfService()

    private mutating func report(_ time: Int64, jitter: Int64, now: Int64) {
        quality.report(time * ms, jitter: jitter * ms, proportion: 1, now: now * ms)
    }

    private mutating func lateness(
        _ time: Int64, now: Int64, work: Int64 = 0, upstream: Int64? = nil
    ) -> Int64? {
        quality.lateness(of: time * ms, now: now * ms, work: work * ms, upstream: upstream.map { $0 * ms })
            .map { $0 / ms }
    }

    private let ms: Int64 = 1_000_000

    @Test mutating func everythingIsInTimeUntilASinkReports() {
        #expect(lateness(0, now: 5000, work: 300) == nil)
        #expect(lateness(40, now: 5000, work: 300) == nil)
    }

    @Test mutating func nothingIsLateForASinkThatDoesNotWait() {
        report(1000, jitter: 0, now: 1000)
        #expect(lateness(1000, now: 1000) == nil)
        #expect(lateness(1040, now: 3000, work: 300) == nil)
    }

    /// A sink that is at 1000 while the clock is at 1200, and advances with the clock.
    @Test mutating func comparesWithTheSinksTime() {
        report(1001, jitter: -1, now: 1200)
        #expect(lateness(1000, now: 1200) == nil)
        #expect(lateness(1040, now: 1300) == 60)
        #expect(lateness(1100, now: 1300) == nil)
        #expect(lateness(1096, now: 1300) == nil)
        #expect((quality.processed, quality.dropped) == (3, 1))
    }

    @Test mutating func countsTheWorkAhead() {
        report(1000, jitter: -200, now: 1000)
        #expect(lateness(1000, now: 1000, work: 150) == nil)
        #expect(lateness(1000, now: 1100, work: 150) == 50)
        #expect(lateness(1060, now: 1100, work: 150) == nil)
    }

    /// A live pipeline that allows 30 ms for processing of 200: fresh frames pass, as late as they will be.
    @Test mutating func passesFreshFramesOfALivePipelineOfLittleLatency() {
        report(1000, jitter: 150, now: 1150)
        #expect(lateness(1200, now: 1200, work: 200, upstream: 0) == nil)
        #expect(lateness(1240, now: 1240, work: 200, upstream: 0) == nil)
        #expect(lateness(1280, now: 1400, work: 200, upstream: 0) == 120)
    }

    /// The pipeline allows 250 ms for processing of 200: a frame that would be shown late is dropped.
    @Test mutating func usesTheLatencyThatALivePipelineGrants() {
        report(999, jitter: 1, now: 1250)
        #expect(lateness(1200, now: 1200, work: 200, upstream: 0) == nil)
        #expect(lateness(1240, now: 1280, work: 200, upstream: 0) == nil)
        #expect(lateness(1280, now: 1360, work: 200, upstream: 0) == 30)
    }

    @Test mutating func letsAFrameThroughEverySecond() {
        report(1000, jitter: 500, now: 1000)
        #expect(lateness(1000, now: 1000) == nil)
        let passed = (0..<100).filter { index in
            let time = 1000 + 40 * Int64(index)
            return lateness(time, now: time) == nil
        }
        #expect(passed == [25, 50, 75])
    }

    /// Time jumps back by an hour: from there on, one frame passes every second again.
    @Test mutating func goesOnWhenTimeJumpsBack() {
        report(3_600_000, jitter: 500, now: 3_600_000)
        #expect(lateness(3_600_000, now: 3_600_000) == nil)
        #expect(lateness(0, now: 3_600_000) == nil)
        #expect(lateness(40, now: 3_600_000) != nil)
        #expect(lateness(1000, now: 3_600_000) == nil)
    }

    @Test mutating func aResetDiscardsTheReport() {
        report(1000, jitter: 500, now: 1000)
        #expect(lateness(1000, now: 1000) == nil)
        #expect(lateness(1040, now: 1040) == 500)
        quality.reset()
        #expect(lateness(1080, now: 1080) == nil)
    }
}
