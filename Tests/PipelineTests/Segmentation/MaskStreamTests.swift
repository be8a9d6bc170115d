import CGStreamer
import TestSupport
import Testing

/// Masks over the frames of a stream.
struct MaskStreamTests {
    let picture: Frame
    let stream: String

    init() throws {
        picture = try astronaut(192, 128)
        stream = caps("RGB", 192, 128)
    }

    private func harness(_ properties: String) throws -> Harness {
        try Harness("personsegment quality=fast \(properties)", caps: stream)
    }

    /// Ages of the masks of `count` more frames.
    private func ages(_ harness: Harness, _ count: Int) throws -> [Int?] {
        try (0..<count).map { _ in MaskMeta(try harness.transform(picture))?.int("age") }
    }

    @Test func analysesEveryFrameByDefault() throws {
        #expect(try ages(harness(""), 4) == [0, 0, 0, 0])
    }

    @Test func carriesTheLastMaskBetweenInferences() throws {
        let harness = try harness("inference-interval=3")
        let frames = try (0..<5).map { _ in try harness.transform(picture) }
        let masks = frames.compactMap { MaskMeta($0) }
        #expect(masks.map { $0.int("age") } == [0, 1, 2, 0, 1])
        #expect(masks.map { $0.int("interval") } == [3, 3, 3, 3, 3])
        let buffers = masks.map(\.buffer)
        #expect(buffers[0] == buffers[1] && buffers[1] == buffers[2] && buffers[3] == buffers[4])
        #expect(buffers[2] != buffers[3])
    }

    @Test func aMaskThatIsKeptDoesNotChange() throws {
        let harness = try harness("")
        let first = MaskMeta(try harness.transform(picture))
        let values = first?.values
        picture.fillBytes(with: 0)
        let second = MaskMeta(try harness.transform(picture))
        #expect(first?.values == values)
        #expect(second?.values != values)
    }

    @Test func startsAnewAfterAFlush() throws {
        let harness = try harness("inference-interval=4")
        #expect(try ages(harness, 2) == [0, 1])
        harness.push(event: gst_event_new_flush_start())
        harness.push(event: gst_event_new_flush_stop(1))
        var segment = GstSegment()
        gst_segment_init(&segment, GST_FORMAT_TIME)
        harness.push(event: gst_event_new_segment(&segment))
        #expect(try ages(harness, 2) == [0, 1])
    }

    @Test func startsAnewAfterALoss() throws {
        let harness = try harness("inference-interval=4")
        #expect(try ages(harness, 2) == [0, 1])
        let late = picture.duplicate()
        late.buffer.pointee.mini_object.flags |= GST_BUFFER_FLAG_DISCONT.rawValue
        #expect(MaskMeta(try harness.transform(late))?.int("age") == 0)
        #expect(try ages(harness, 1) == [1])
    }

    @Test func followsAChangeOfCaps() throws {
        let harness = try harness("inference-interval=4")
        #expect(try ages(harness, 2) == [0, 1])
        let tall = try astronaut(128, 192, "I420")
        harness.setCaps(caps("I420", 128, 192))
        let mask = MaskMeta(try harness.transform(tall))
        #expect(mask?.int("age") == 0)
        #expect(mask?.int("height") == 256)
        #expect(mask?.int("frame-height") == 192)
        harness.setCaps(stream)
        #expect(MaskMeta(try harness.transform(picture))?.int("height") == 144)
    }

    @Test func restarts() throws {
        let harness = try harness("inference-interval=4")
        for _ in 0..<3 {
            #expect(try ages(harness, 2) == [0, 1])
            harness.restart()
            harness.setCaps(stream)
        }
    }

    @Test func followsPropertiesWhilePlaying() throws {
        let harness = try harness("")
        #expect(MaskMeta(try harness.transform(picture))?.int("width") == 256)
        harness.set("quality", "balanced")
        let balanced = MaskMeta(try harness.transform(picture))
        #expect(balanced?.string("quality") == "balanced")
        #expect(balanced?.int("height") == picture.height)
        harness.set("mask-format", "f16")
        harness.set("quality", "fast")
        let fast = MaskMeta(try harness.transform(picture))
        #expect(fast?.string("format") == "f16")
        #expect(fast?.int("stride") == 512)
        harness.set("inference-interval", "2")
        #expect(try ages(harness, 2) == [1, 0])
    }

    @Test func proposesVideoMetaUpstream() throws {
        #expect(try harness("").proposesVideoMeta(for: stream))
    }

    @Test func passesAnEmptyStream() throws {
        let harness = try harness("")
        #expect(harness.push(event: gst_event_new_eos()))
        #expect(harness.events().contains(GST_EVENT_EOS))
        #expect(harness.messages() == [])
    }
}
