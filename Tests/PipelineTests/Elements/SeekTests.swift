import CGStreamer
import TestSupport
import Testing

/// Seeks of a playing pipeline: to a time, over a part, backwards, faster.
struct SeekTests {
    private static let second: Int64 = 1_000_000_000
    private static let step: Int64 = 40_000_000

    private func play(_ element: ElementCase) throws -> Pipeline {
        let pipeline = try Pipeline(
            "videotestsrc pattern=white ! \(caps("I420", 64, 48)) ! \(element.line) "
                + "! appsink name=sink sync=false max-buffers=2")
        #expect(pipeline.set(state: GST_STATE_PLAYING) != GST_STATE_CHANGE_FAILURE)
        return pipeline
    }

    /// Returns the times of `count` frames, on each of which the element has worked.
    private func times(_ pipeline: Pipeline, _ count: Int, _ element: ElementCase) throws -> [Int64] {
        try (0..<count).map { _ in
            let frame = try #require(pipeline.pullSample(from: "sink"))
            #expect(element.hasWorked(on: frame))
            return Int64(frame.time)
        }
    }

    @Test(arguments: ElementCase.all)
    func goesToAnyTime(_ element: ElementCase) throws {
        let pipeline = try play(element)
        var generator = SeededGenerator(seed: 3)
        _ = try times(pipeline, 2, element)
        for _ in 0..<10 {
            let start = Int64.random(in: 0..<250, using: &generator) * Self.step
            #expect(pipeline.seek(to: start))
            #expect(try times(pipeline, 2, element) == [start, start + Self.step])
        }
        #expect(element.complaints(pipeline.messages()) == [])
    }

    @Test(arguments: ElementCase.all)
    func playsAPartAndReportsItsEnd(_ element: ElementCase) throws {
        let pipeline = try play(element)
        for start in [2 * Self.second, 0] {
            #expect(pipeline.seek(to: start, until: start + 3 * Self.step, GST_SEEK_FLAG_SEGMENT))
            #expect(try times(pipeline, 3, element) == (0..<3).map { start + $0 * Self.step })
            #expect(pipeline.waits(for: GST_MESSAGE_SEGMENT_DONE))
        }
        #expect(pipeline.seek(to: 0, until: Self.step))
        #expect(try times(pipeline, 1, element) == [0])
        #expect(pipeline.waits(for: GST_MESSAGE_EOS))
    }

    @Test(arguments: ElementCase.all)
    func playsBackwardsAndFaster(_ element: ElementCase) throws {
        let pipeline = try play(element)
        #expect(pipeline.seek(to: 0, until: Self.second, rate: -1))
        let backwards = try times(pipeline, 5, element)
        #expect(backwards == backwards.sorted(by: >) && Set(backwards).count == 5)
        #expect(pipeline.seek(to: Self.second, rate: 4, GST_SEEK_FLAG_TRICKMODE))
        let faster = try times(pipeline, 3, element)
        #expect(faster.first == Self.second && faster == faster.sorted())
        #expect(element.complaints(pipeline.messages()) == [])
    }

    @Test(arguments: ElementCase.all)
    func seeksInPause(_ element: ElementCase) throws {
        let pipeline = try Pipeline(
            "videotestsrc pattern=white ! \(caps("I420", 64, 48)) ! \(element.line) ! appsink name=sink")
        #expect(pipeline.set(state: GST_STATE_PAUSED) != GST_STATE_CHANGE_FAILURE)
        for start in [Self.second, 0, 3 * Self.second] {
            #expect(pipeline.seek(to: start))
            #expect(pipeline.set(state: GST_STATE_PAUSED) != GST_STATE_CHANGE_FAILURE)
        }
        #expect(pipeline.set(state: GST_STATE_PLAYING) != GST_STATE_CHANGE_FAILURE)
        #expect(try times(pipeline, 1, element) == [3 * Self.second])
    }
}
