import CGStreamer
import TestSupport
import Testing

/// Buffers and caps that are not what they should be.
struct BufferFailureTests {
    static let elements = ["personsegment quality=fast", "blendmask"]

    private func isDropped(_ buffer: UnsafeMutablePointer<GstBuffer>, by harness: Harness) -> Bool {
        let flow = harness.push(buffer: buffer)
        let warning = harness.nextMessage(within: 1)
        let isWarned = warning?.is(.warning, gst_stream_error_quark(), GST_STREAM_ERROR_FORMAT.rawValue)
        return flow == GST_FLOW_OK && isWarned == true && harness.pull() == nil && harness.messages() == []
    }

    private func bytes(_ count: Int) throws -> UnsafeMutablePointer<GstBuffer> {
        guard let buffer = gst_buffer_new_allocate(nil, gsize(count), nil) else {
            throw SetupFailure("no memory")
        }
        return buffer
    }

    @Test(arguments: elements, ["I420", "NV12", "YUY2", "RGB", "BGRx", "GRAY8"])
    func dropsBuffersThatAreTooSmall(_ element: String, _ format: String) throws {
        let frame = try Frame(caps(format, 64, 48))
        let harness = try Harness(element, caps: frame.caps)
        for count in [frame.byteCount - 1, frame.byteCount / 2, 1] {
            #expect(isDropped(try bytes(count), by: harness), "\(count) bytes")
        }
        #expect(isDropped(gst_buffer_new(), by: harness), "no memory at all")
        #expect(throws: Never.self) { try harness.transform(frame) }
    }

    @Test(arguments: elements)
    func dropsBuffersWhoseMetaSaysMore(_ element: String) throws {
        let frame = try Frame(caps("I420", 64, 48), padding: 32)
        let copy = frame.copy()
        gst_buffer_set_size(copy, 64 * 48 * 3 / 2)
        let harness = try Harness(element, caps: frame.caps)
        #expect(isDropped(copy, by: harness))
        #expect(throws: Never.self) { try harness.transform(frame) }
    }

    @Test(arguments: elements)
    func dropsBuffersOfAnotherSize(_ element: String) throws {
        let small = try Frame(caps("I420", 32, 24), padding: 16)
        let harness = try Harness(element, caps: caps("I420", 64, 48))
        #expect(isDropped(small.copy(), by: harness))
    }

    @Test(arguments: elements)
    func passesGapsAndTheEndOfTheStream(_ element: String) throws {
        let frame = try Frame(caps("I420", 64, 48))
        let harness = try Harness(element, caps: frame.caps)
        #expect(harness.push(event: gst_event_new_gap(0, 40_000_000)))
        #expect(throws: Never.self) { try harness.transform(frame) }
        #expect(harness.push(event: gst_event_new_gap(80_000_000, 40_000_000)))
        #expect(harness.push(event: gst_event_new_eos()))
        let events = harness.events()
        #expect(events.filter { $0 == GST_EVENT_GAP }.count == 2)
        #expect(events.last == GST_EVENT_EOS)
        #expect(harness.messages() == [])
    }

    @Test(arguments: elements)
    func endsWithoutData(_ element: String) throws {
        let pipeline = try Pipeline("videotestsrc num-buffers=0 ! \(element) ! fakesink")
        #expect(pipeline.play(limit: 10).map(\.kind) == [.endOfStream])
    }

    @Test(arguments: elements, ["NV12_64Z32", "GBR_12LE", "v210", "RGB16"])
    func refusesOtherFormats(_ element: String, _ format: String) throws {
        let frame = try Frame(caps(format, 64, 48))
        let harness = try Harness(element, caps: frame.caps)
        #expect(harness.push(frame) == GST_FLOW_NOT_NEGOTIATED)
        #expect(harness.pull() == nil)
    }

    @Test(arguments: elements)
    func refusesOtherMedia(_ element: String) throws {
        #expect(throws: SetupFailure.self) {
            try Pipeline("audiotestsrc num-buffers=1 ! \(element) ! fakesink").play()
        }
    }

    @Test(arguments: elements, [[1, 1], [2, 1], [1, 3], [4096, 1], [1, 4096]])
    func takesTheSmallestAndThinnestFrames(_ element: String, _ size: [Int]) throws {
        for format in ["I420", "YUY2", "NV12", "RGB"] {
            let frame = try Frame(caps(format, size[0], size[1]))
            frame.fillBytes(with: 128)
            let result = try Harness(element, caps: frame.caps).transform(frame)
            #expect(result.width == size[0] && result.height == size[1])
        }
    }
}
