import CGStreamer
import TestSupport
import Testing

/// Buffers that are unusual, or contradict their caps.
struct BufferTests {
    private func isDropped(_ buffer: UnsafeMutablePointer<GstBuffer>, by harness: Harness) -> Bool {
        let flow = harness.push(buffer: buffer)
        let warning = harness.nextMessage()
        let isWarned = warning?.is(.warning, gst_stream_error_quark(), GST_STREAM_ERROR_FORMAT.rawValue)
        return flow == GST_FLOW_OK && isWarned == true && harness.pull() == nil && harness.messages() == []
    }

    private func bytes(_ count: Int) throws -> UnsafeMutablePointer<GstBuffer> {
        guard let buffer = gst_buffer_new_allocate(nil, gsize(count), nil) else {
            throw SetupFailure("no memory")
        }
        return buffer
    }

    /// An element that passes a buffer on does not read it.
    @Test(arguments: ElementCase.readers)
    func dropsBuffersThatAreTooSmall(_ element: ElementCase) throws {
        let harness = try element.harness(caps("I420", 64, 48))
        for format in ["I420", "NV12", "YUY2", "RGB", "GRAY8", "P010_10LE", "A420"] {
            let frame = try Frame(caps(format, 64, 48))
            harness.setCaps(frame.caps)
            for count in [frame.byteCount - 1, 1] {
                #expect(isDropped(try bytes(count), by: harness), "\(count) bytes of \(format)")
            }
            #expect(isDropped(gst_buffer_new(), by: harness), "no memory at all")
            #expect(throws: Never.self) { try harness.transform(frame) }
        }
    }

    @Test(arguments: ElementCase.readers)
    func dropsBuffersSmallerThanTheirVideoMeta(_ element: ElementCase) throws {
        let frame = try Frame(caps("I420", 64, 48), padding: 32)
        let copy = frame.copy()
        gst_buffer_set_size(copy, 64 * 48 * 3 / 2)
        let harness = try element.harness(frame.caps)
        #expect(isDropped(copy, by: harness))
        #expect(throws: Never.self) { try harness.transform(frame) }
    }

    @Test(arguments: ElementCase.readers)
    func dropsBuffersOfAnotherSize(_ element: ElementCase) throws {
        let small = try Frame(caps("I420", 32, 24), padding: 16)
        let harness = try element.harness(caps("I420", 64, 48))
        #expect(isDropped(small.copy(), by: harness))
    }

    /// Planes in separate memories, as cameras and decoders deliver them.
    @Test(arguments: ElementCase.all)
    func takesPlanesInSeveralMemories(_ element: ElementCase) throws {
        let frame = try ElementCase.grayFrame()
        let whole = try #require(frame.memory)
        let parts = try #require(gst_buffer_new())
        for (offset, size) in [(0, 64 * 48), (64 * 48, 32 * 24), (64 * 48 + 32 * 24, 32 * 24)] {
            gst_buffer_append_memory(parts, gst_memory_copy(whole, gssize(offset), gssize(size)))
        }
        var offsets: [gsize] = [0, 64 * 48, 64 * 48 + 32 * 24, 0]
        var strides: [gint] = [64, 32, 32, 0]
        gst_buffer_add_video_meta_full(
            parts, GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_FORMAT_I420, 64, 48, 3, &offsets, &strides)
        let harness = try element.harness(frame.caps)
        #expect(harness.push(buffer: parts) == GST_FLOW_OK)
        #expect(element.hasWorked(on: try #require(harness.pull())))
        #expect(harness.messages() == [])
    }

    @Test(arguments: ElementCase.all)
    func takesMemoryThatIsReadOnly(_ element: ElementCase) throws {
        let frame = try ElementCase.grayFrame()
        frame.memory?.pointee.mini_object.flags |= GST_MEMORY_FLAG_READONLY.rawValue
        let before = frame.duplicate()
        let harness = try element.harness(frame.caps)
        #expect(harness.push(shared: frame) == GST_FLOW_OK)
        #expect(element.hasWorked(on: try #require(harness.pull())))
        #expect(frame.hasSameSamples(as: before))
    }

    @Test(arguments: ElementCase.all)
    func takesTheSmallestAndThinnestFrames(_ element: ElementCase) throws {
        let harness = try element.harness(caps("I420", 64, 48))
        for (format, width, height) in [
            ("I420", 1, 1), ("YUY2", 1, 3), ("NV12", 2, 1), ("RGB", 4096, 1), ("YUY2", 1, 4096),
            ("NV12", 3, 1),
        ] {
            let frame = try Frame(caps(format, width, height))
            frame.fillBytes(with: 128)
            harness.setCaps(frame.caps)
            let result = try harness.transform(frame)
            #expect(result.width == width && result.height == height)
            if let meta = element.meta { #expect(result.count(ofMeta: meta) == 1) }
        }
    }
}
