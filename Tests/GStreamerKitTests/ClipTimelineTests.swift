import Foundation
import GStreamerKit
import Testing

/// The frame of a clip that is shown at a given time; frames are numbers here, ten milliseconds apart.
struct ClipTimelineTests {
    private static let step: Int64 = 10_000_000

    /// An hour in microseconds; no test may wait that long.
    private static let hour: Int64 = 3_600_000_000

    private func timeline(_ count: Int, patience: Int64 = 0) -> ClipTimeline<Int> {
        let timeline = ClipTimeline<Int>(capacity: 100, patience: patience)
        addRound(timeline, count)
        return timeline
    }

    private func addRound(_ timeline: ClipTimeline<Int>, _ count: Int, first: Int64 = 0) {
        for index in 0..<count {
            _ = timeline.add(at: first + Int64(index) * Self.step, duration: Self.step) { index }
        }
    }

    private func shown(_ timeline: ClipTimeline<Int>, _ times: some Sequence<Int>) -> [Int?] {
        times.map { timeline.frame(at: UInt64($0) * 1_000_000) }
    }

    @Test func showsTheFrameWhoseTimeHasCome() {
        #expect(shown(timeline(4), [0, 9, 10, 11, 19, 35]) == [0, 0, 1, 1, 1, 3])
    }

    @Test func joinsRounds() {
        let timeline = timeline(3)
        #expect(timeline.endRound())
        addRound(timeline, 3)
        #expect(timeline.endRound())
        addRound(timeline, 3, first: 5_000_000)
        #expect(shown(timeline, stride(from: 0, to: 90, by: 10)) == [0, 1, 2, 0, 1, 2, 0, 1, 2])
    }

    @Test func joinsRoundsOfFramesWithoutDurations() {
        let timeline = ClipTimeline<Int>(capacity: 100, patience: 0)
        for _ in 0..<2 {
            for index in 0..<3 { _ = timeline.add(at: Int64(index) * Self.step, duration: nil) { index } }
            #expect(timeline.endRound())
        }
        #expect(shown(timeline, stride(from: 0, to: 60, by: 10)) == [0, 1, 2, 0, 1, 2])
    }

    @Test func goesOnWhereTimesStartAnewWithinARound() {
        let timeline = timeline(3)
        addRound(timeline, 3)
        #expect(shown(timeline, stride(from: 0, to: 60, by: 10)) == [0, 1, 2, 0, 1, 2])
    }

    @Test func startsWithTheFirstFrameThatIsAskedFor() {
        #expect(shown(timeline(4), [5000, 5010, 5025]) == [0, 1, 2])
    }

    @Test func goesOnWhereItWasWhenTimeJumpsBack() {
        #expect(shown(timeline(9), [0, 20, 40, 0, 10, 20]) == [0, 2, 4, 4, 5, 6])
    }

    @Test func hasNothingBeforeTheFirstFrame() {
        let timeline = timeline(0)
        #expect(timeline.frame(at: 0) == nil)
        #expect(timeline.frame(at: 7_000_000_000) == nil)
        addRound(timeline, 3)
        #expect(shown(timeline, [7010, 7020, 7030]) == [0, 1, 2])
    }

    @Test func keepsTheNewestFrameWhileTheNextIsLate() {
        let timeline = timeline(2)
        #expect(shown(timeline, [0, 10, 40, 50]) == [0, 1, 1, 1])
        for index in 2..<8 { _ = timeline.add(at: Int64(index) * Self.step, duration: Self.step) { index } }
        // Frames 2 to 4 are over; the clip is on time again.
        #expect(shown(timeline, [50, 60]) == [5, 6])
    }

    @Test func continuesFromItsPositionAfterALargeLag() {
        let timeline = timeline(2)
        #expect(shown(timeline, [0, 10, 5000]) == [0, 1, 1])
        for index in 2..<8 { _ = timeline.add(at: Int64(index) * Self.step, duration: Self.step) { index } }
        #expect(shown(timeline, [5000, 5010, 5020]) == [2, 3, 4])
    }

    @Test func skipsLateFramesButAtMostEightInARow() {
        let timeline = timeline(1)
        _ = shown(timeline, [0, 500])
        var made: [Int] = []
        for index in 1..<40 {
            _ = timeline.add(at: Int64(index) * Self.step, duration: Self.step) {
                made.append(index)
                return index
            }
        }
        // A decoder that never catches up still shows some frames.
        #expect(made == [9, 18, 27, 36])
    }

    @Test func keepsTheLastFrameAtTheEnd() {
        let timeline = timeline(2, patience: Self.hour)
        timeline.end()
        #expect(shown(timeline, [0, 10, 500, 900]) == [0, 1, 1, 1])
        #expect(timeline.waitCount == 0)
        #expect(!timeline.add(at: 0, duration: nil) { 7 })
    }

    @Test func refusesRoundsWithoutFrames() {
        let timeline = timeline(2)
        #expect(timeline.endRound())
        #expect(!timeline.endRound())
    }

    @Test func survivesAnyTimes() {
        let timeline = ClipTimeline<Int>(capacity: 100, patience: 0)
        let times: [Int64] = [.max, 0, .min, -1, .max, 5]
        for time in times { _ = timeline.add(at: time, duration: .max) { 1 } }
        #expect(timeline.endRound())
        for time in times { _ = timeline.add(at: time, duration: nil) { 2 } }
        for time: UInt64? in [.max, 0, nil, .max, 1, nil] { _ = timeline.frame(at: time) }
    }

    // MARK: - Two threads

    @Test func waitsForALateFrame() {
        let timeline = timeline(1, patience: Self.hour)
        Thread.detachNewThread {
            while timeline.waitCount == 0 { sched_yield() }
            _ = timeline.add(at: Self.step, duration: Self.step) { 1 }
        }
        #expect(shown(timeline, [0, 10]) == [0, 1])
        #expect(timeline.waitCount == 1)
    }

    /// The stream waits once for each time that the clip becomes late.
    @Test func waitsOnceForFramesThatDoNotCome() {
        let timeline = timeline(1, patience: 1)
        #expect(shown(timeline, [0, 20, 30, 40, 50]) == [0, 0, 0, 0, 0])
        #expect(timeline.waitCount == 1)
        for index in 1..<7 { _ = timeline.add(at: Int64(index) * Self.step, duration: Self.step) { index } }
        #expect(shown(timeline, [60, 70, 80]) == [6, 6, 6])
        #expect(timeline.waitCount == 2)
    }

    @Test func limitsHowFarTheDecoderGetsAhead() async {
        let timeline = ClipTimeline<Int>(capacity: 3, patience: Self.hour)
        let decoder = Task.detached {
            var count = 0
            while timeline.add(at: Int64(count) * Self.step, duration: Self.step, { count }) { count += 1 }
            return count
        }
        for index in 0..<200 { #expect(timeline.frame(at: UInt64(index) * UInt64(Self.step)) == index) }
        timeline.end()
        let count = await decoder.value
        #expect(count >= 200 && count <= 204)
    }
}
