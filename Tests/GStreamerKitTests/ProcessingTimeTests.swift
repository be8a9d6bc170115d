import GStreamerKit
import Testing

/// The latency that an element reports, in milliseconds here.
struct ProcessingTimeTests {
    private var time = ProcessingTime()

    /// Adds frames; returns the number of changes of the latency.
    private mutating func add(_ milliseconds: UInt64, _ count: Int = 1) -> Int {
        var changes = 0
        for _ in 0..<count where time.add(milliseconds * 1_000_000) { changes += 1 }
        return changes
    }

    private var latency: UInt64 { time.latency / 1_000_000 }

    @Test mutating func firstReportIgnoresTheVeryFirstFrame() {
        #expect(add(900) == 0)
        #expect(add(200) == 0)
        #expect(latency == 0)
        #expect(add(220) == 1)
        #expect(latency == 250)
        #expect(add(200, 300) == 0)
    }

    @Test mutating func reportsNoLatencyOfAFewMilliseconds() {
        #expect(add(11, 100) == 0)
        #expect(latency == 0)
    }

    @Test mutating func ignoresASingleSlowFrame() {
        _ = add(20, 50)
        #expect(add(400) == 0)
        #expect(add(20, 46) == 0)
        #expect(latency == 25)
    }

    @Test mutating func countsEveryEighthFrame() {
        for _ in 0..<40 { _ = (add(200), add(0, 7)) }
        #expect(latency == 250)
        #expect(time.usual == 0)
    }

    @Test mutating func followsARiseAtOnceAndAFallLater() {
        _ = add(20, 50)
        #expect(add(100) == 0)
        #expect(add(100) == 1)
        #expect(latency == 125)
        #expect(time.usual == 20_000_000)
        #expect(add(20, 14) == 0)
        #expect(add(20) == 1)
        #expect(latency == 25)
    }

    @Test mutating func forgetsASlowBeginning() {
        #expect(add(1700, 3) == 1)
        #expect(latency == 2125)
        #expect(add(10, 16) == 1)
        #expect(latency == 0)
    }

    @Test mutating func smallChangesCauseNoMessage() {
        var changes = 0
        for frame in 0..<500 { changes += add(40 + UInt64(frame * 7 % 5)) }
        #expect(changes == 1)
    }
}
