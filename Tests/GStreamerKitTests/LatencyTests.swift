import CGStreamer
import TestSupport
import Testing

/// The latency that an element reports, and the frames that it drops because they are late.
struct LatencyTests {
    private let frame: Frame

    init() throws { frame = try Frame("video/x-raw,format=GRAY8,width=4,height=2,framerate=25/1") }

    private func harness(_ properties: String = "") throws -> Harness {
        try probe(properties, caps: frame.caps, isLive: true)
    }

    // MARK: - Latency

    @Test func reportsTheProcessingTimeAsLatency() throws {
        let harness = try harness("delay=40")
        let before = harness.latency
        _ = harness.count(of: GST_MESSAGE_LATENCY)
        for _ in 0..<3 { _ = try harness.transform(frame) }
        #expect(harness.latency - before >= 50_000_000)
        #expect(harness.count(of: GST_MESSAGE_LATENCY) == 1)
    }

    @Test func startsAnewWithTheStream() throws {
        let harness = try harness("delay=40")
        let before = harness.latency
        for _ in 0..<3 { _ = try harness.transform(frame) }
        harness.restart()
        #expect(harness.latency == before)
    }

    // MARK: - Quality of service

    /// Reports that the frame of one second came half a second late; the clock is at one second.
    private func lateHarness() throws -> Harness {
        let harness = try harness()
        harness.setClock(to: 1_000_000_000)
        frame.time = 1_000_000_000
        _ = try harness.transform(frame)
        harness.push(upstream: gst_event_new_qos(GST_QOS_TYPE_UNDERFLOW, 1.5, 500_000_000, 1_000_000_000))
        return harness
    }

    /// Whether the frame of `time` comes out while the clock is at `now`, in milliseconds.
    private func passes(_ time: UInt64, at now: UInt64, _ harness: Harness) throws -> Bool {
        harness.setClock(to: now * 1_000_000)
        frame.time = time * 1_000_000
        #expect(harness.push(frame) == GST_FLOW_OK)
        return harness.pull() != nil
    }

    @Test func dropsFramesThatWouldBeLate() throws {
        let harness = try lateHarness()
        _ = harness.count(of: GST_MESSAGE_QOS)
        // The base class drops only frames that are late by the report itself, until 1.5 s.
        #expect(try !passes(1600, at: 1200, harness))
        #expect(harness.count(of: GST_MESSAGE_QOS) == 1)
        #expect(try passes(1700, at: 1200, harness))
    }

    @Test func aFrameAfterALossIsMarked() throws {
        let harness = try lateHarness()
        #expect(try !passes(1600, at: 1200, harness))
        frame.time = 1_800_000_000
        let next = try harness.transform(frame)
        #expect(next.buffer.pointee.mini_object.flags & GST_BUFFER_FLAG_DISCONT.rawValue != 0)
    }

    @Test func dropsNothingWithoutQoS() throws {
        let harness = try lateHarness()
        harness.set("qos", "false")
        #expect(try passes(1600, at: 1200, harness))
    }

    @Test func forgetsReportsAfterAFlush() throws {
        let harness = try lateHarness()
        harness.push(event: gst_event_new_flush_start())
        harness.push(event: gst_event_new_flush_stop(0))
        var segment = GstSegment()
        gst_segment_init(&segment, GST_FORMAT_TIME)
        harness.push(event: gst_event_new_segment(&segment))
        #expect(try passes(1100, at: 1200, harness))
    }

    @Test func forgetsReportsWithANewLatency() throws {
        let harness = try lateHarness()
        harness.push(upstream: gst_event_new_latency(600_000_000))
        #expect(try passes(1600, at: 1200, harness))
    }

    @Test func dropsNothingWhilePaused() throws {
        let harness = try lateHarness()
        harness.pause()
        #expect(try passes(1600, at: 1200, harness))
    }

    /// The frames of a source that counts bytes have no running time, and pass.
    @Test func takesFramesOfAStreamThatCountsBytes() throws {
        let harness = try lateHarness()
        var segment = GstSegment()
        gst_segment_init(&segment, GST_FORMAT_BYTES)
        harness.push(event: gst_event_new_segment(&segment))
        #expect(try passes(1100, at: 1200, harness))
    }

    // MARK: - Losses

    private func discontinuities(_ harness: Harness, _ time: UInt64?, isMarked: Bool = true) throws -> Int {
        let copy = frame.duplicate()
        if let time { copy.time = time * 1_000_000 } else { copy.buffer.pointee.pts = .max }
        if isMarked { copy.buffer.pointee.mini_object.flags |= GST_BUFFER_FLAG_DISCONT.rawValue }
        return Note(try harness.transform(copy))?.int("discontinuities") ?? -1
    }

    @Test func aGapOfLessThanASecondIsNoDiscontinuity() throws {
        let harness = try harness()
        let start = try discontinuities(harness, 0)
        #expect(try discontinuities(harness, 400) == start)
        #expect(try discontinuities(harness, 1400) == start)
        #expect(try discontinuities(harness, 1440, isMarked: false) == start)
        #expect(try discontinuities(harness, 2441) == start + 1)
        #expect(try discontinuities(harness, 2400) == start + 2)
        #expect(try discontinuities(harness, nil) == start + 3)
        #expect(try discontinuities(harness, 2480) == start + 4)
    }

    /// The tags of one stream do not apply to the next.
    @Test func aNewStreamResetsTheOrientation() throws {
        let harness = try harness()
        harness.push(
            event: gst_event_new_tag(gst_tag_list_new_from_string("taglist, image-orientation=rotate-90")))
        #expect(Note(try harness.transform(frame))?.int("orientation") == 6)
        harness.push(event: gst_event_new_stream_start("other"))
        #expect(Note(try harness.transform(frame))?.int("orientation") == 1)
    }
}
