import CGStreamer
import TestSupport
import Testing

/// An analyser reads frames and leaves their memory unchanged.
struct SharingTests {
    @Test func keepsTheBufferThatItOwns() throws {
        let picture = try astronaut(192, 128)
        let harness = try Harness("personsegment quality=fast", caps: picture.caps)
        let copy = picture.copy()
        #expect(harness.push(buffer: copy) == GST_FLOW_OK)
        #expect(harness.pull()?.buffer == copy)
    }

    @Test func neverMapsForWriting() throws {
        let picture = try astronaut(192, 128)
        let expected = try mask(of: picture).values
        picture.memory?.pointee.mini_object.flags |= GST_MEMORY_FLAG_READONLY.rawValue
        let harness = try Harness("personsegment quality=fast mask-format=f32", caps: picture.caps)
        #expect(harness.push(shared: picture) == GST_FLOW_OK)
        let result = harness.pull()
        #expect(result?.memory == picture.memory)
        #expect(result.flatMap { MaskMeta($0) }?.values == expected)
    }

    @Test func blendmaskWorksInPlaceOnAFrameThatItOwns() throws {
        let copy = try astronaut(192, 128).copy()
        let memory = gst_buffer_peek_memory(copy, 0)
        let harness = try Harness("blendmask", caps: caps("RGB", 192, 128))
        #expect(harness.push(buffer: copy) == GST_FLOW_OK)
        #expect(harness.pull()?.memory == memory)
    }
}
