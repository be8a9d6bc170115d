import CGStreamer
import TestSupport
import Testing

/// Frames that are held back for lookahead.
struct LookaheadTests {
    private func harness(_ properties: String, _ frame: Frame, isLive: Bool = false) throws -> Harness {
        ElementCase.keepModels
        return try Harness("personsegment \(properties)", caps: frame.caps, isLive: isLive)
    }

    /// Returns a copy of a frame in a stream of 25 frames per second.
    private func copy(_ frame: Frame, number: Int) -> UnsafeMutablePointer<GstBuffer> {
        let buffer = frame.copy()
        buffer.pointee.pts = GstClockTime(number) * 40_000_000
        buffer.pointee.duration = 40_000_000
        return buffer
    }

    private func push(_ numbers: ClosedRange<Int>, of frame: Frame, into harness: Harness) {
        for number in numbers {
            #expect(harness.push(buffer: copy(frame, number: number)) == GST_FLOW_OK)
        }
    }

    /// Returns the numbers of the output frames, all of which have a mask.
    private func numbers(from harness: Harness) -> [Int] {
        var numbers: [Int] = []
        while let frame = harness.pull() {
            #expect(MaskMeta(frame) != nil)
            numbers.append(Int(frame.buffer.pointee.pts / 40_000_000))
        }
        return numbers
    }

    @Test(arguments: [0, 1, 2, 5])
    func framesWaitForThoseAfterThem(count: Int) throws {
        let frame = try astronaut(160, 120)
        let harness = try harness("quality=fast lookahead=\(count)", frame)
        push(0...5, of: frame, into: harness)
        #expect(numbers(from: harness) == Array(0...(5 - count)))
        _ = harness.events()
        #expect(harness.push(event: gst_event_new_eos()))
        #expect(numbers(from: harness) == Array((6 - count)..<6))
        #expect(harness.events() == [GST_EVENT_EOS])
        #expect(harness.messages() == [])
    }

    /// The buffer itself is passed on: nothing is copied for the mask.
    @Test func framesAreNotCopied() throws {
        let frame = try astronaut(160, 120)
        let harness = try harness("quality=fast lookahead=1", frame)
        let buffers = (0...3).map { copy(frame, number: $0) }
        for buffer in buffers { #expect(harness.push(buffer: buffer) == GST_FLOW_OK) }
        #expect(harness.pull()?.buffer == buffers[0])
        #expect(harness.pull()?.buffer == buffers[1])
    }

    @Test func aFlushDropsWaitingFrames() throws {
        let frame = try astronaut(160, 120)
        let harness = try harness("quality=fast lookahead=2", frame)
        push(0...1, of: frame, into: harness)
        harness.push(event: gst_event_new_flush_start())
        harness.push(event: gst_event_new_flush_stop(1))
        var segment = GstSegment()
        gst_segment_init(&segment, GST_FORMAT_TIME)
        harness.push(event: gst_event_new_segment(&segment))
        push(10...12, of: frame, into: harness)
        #expect(numbers(from: harness) == [10])
    }

    /// An event behind frames stays behind them.
    @Test func eventsKeepTheirPlace() throws {
        let frame = try astronaut(160, 120)
        let harness = try harness("quality=fast lookahead=2", frame)
        push(0...1, of: frame, into: harness)
        harness.push(event: gst_event_new_gap(80_000_000, 40_000_000))
        #expect(numbers(from: harness) == [0, 1])
        push(3...3, of: frame, into: harness)
        let fields = gst_structure_new_empty("GstPeopleTestEvent")
        harness.push(event: gst_event_new_custom(GST_EVENT_CUSTOM_DOWNSTREAM, fields))
        #expect(numbers(from: harness) == [3])
    }

    @Test func theSizeMayChange() throws {
        let (small, large) = (try astronaut(160, 120), try astronaut(320, 180))
        let harness = try harness("quality=fast lookahead=1", small)
        push(0...1, of: small, into: harness)
        harness.setCaps(large.caps)
        push(2...3, of: large, into: harness)
        harness.drain()
        var sizes: [Int?] = []
        while let frame = harness.pull() { sizes.append(MaskMeta(frame)?.int("height")) }
        #expect(sizes == [256, 256, 144, 144])
    }

    @Test func aDiscontinuityReleasesWaitingFrames() throws {
        let frame = try astronaut(160, 120)
        let harness = try harness("quality=fast lookahead=1", frame)
        push(0...1, of: frame, into: harness)
        let late = copy(frame, number: 100)
        late.pointee.mini_object.flags |= GST_BUFFER_FLAG_DISCONT.rawValue
        #expect(harness.push(buffer: late) == GST_FLOW_OK)
        #expect(numbers(from: harness) == [0, 1])
        harness.drain()
        #expect(numbers(from: harness) == [100])
    }

    @Test func lookaheadMayChangeWhilePlaying() throws {
        let frame = try astronaut(160, 120)
        let harness = try harness("quality=fast lookahead=2", frame)
        push(0...2, of: frame, into: harness)
        harness.set("lookahead", "0")
        push(3...3, of: frame, into: harness)
        #expect(numbers(from: harness) == [0, 1, 2, 3])
        harness.set("lookahead", "1")
        push(4...5, of: frame, into: harness)
        #expect(numbers(from: harness) == [4])
        // A mask of one quality level never comes with a frame of another.
        harness.set("mask-format", "f32")
        push(6...7, of: frame, into: harness)
        #expect(numbers(from: harness) == [5, 6])
    }

    /// Frames that use another frame's mask need no lookahead.
    @Test func framesBetweenMasksDoNotWait() throws {
        let frame = try astronaut(160, 120)
        let harness = try harness("quality=fast lookahead=2 inference-interval=2", frame)
        push(0...1, of: frame, into: harness)
        #expect(numbers(from: harness) == [0, 1])
    }

    @Test(arguments: [
        ("fast", false, 0), ("balanced", false, 0), ("accurate", false, 1), ("accurate", true, 0),
    ])
    func theDefaultDependsOnTheLevel(quality: String, isLive: Bool, count: Int) throws {
        let frame = try astronaut(160, 120)
        let harness = try harness("quality=\(quality)", frame, isLive: isLive)
        push(0...1, of: frame, into: harness)
        #expect(numbers(from: harness) == Array(0...(1 - count)))
    }

    @Test func latencyIncludesTheLookahead() throws {
        let frame = try astronaut(160, 120)
        let harness = try harness("quality=fast lookahead=1", frame, isLive: true)
        harness.setUpstreamLatency(5_000_000)
        push(0...1, of: frame, into: harness)
        // A smaller latency would show every frame late; the processing time may be added.
        #expect(harness.latency >= 45_000_000)
    }

    /// A pool with just enough buffers would be empty while frames are held back.
    @Test(arguments: [(0, 0), (2, 2), (8, 8)])
    func requestsBuffersForTheLookahead(count: Int, buffers: Int) throws {
        let frame = try astronaut(160, 120)
        let harness = try harness("quality=fast lookahead=\(count)", frame)
        push(0...2, of: frame, into: harness)
        #expect(harness.requestedBuffers == buffers)
    }

    /// Each person's mask belongs to the frame that it comes with.
    @Test func instancesBelongToTheirFrame() throws {
        let frame = try astronaut(320, 240)
        let harness = try harness("quality=fast lookahead=1 instance-masks=true", frame)
        push(0...2, of: frame, into: harness)
        harness.drain()
        for number in 0...2 {
            let mask = harness.pull().flatMap { MaskMeta($0) }
            #expect(mask?.instances?.count == 1, "frame \(number)")
        }
    }
}
