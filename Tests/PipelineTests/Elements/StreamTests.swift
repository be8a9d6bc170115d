import CGStreamer
import TestSupport
import Testing

/// Data that an element passes on unchanged: times, flags, other metadata, events, queries, shared memory.
struct StreamTests {
    private static let flags =
        GST_BUFFER_FLAG_DELTA_UNIT.rawValue | GST_BUFFER_FLAG_MARKER.rawValue
        | GST_BUFFER_FLAG_CORRUPTED.rawValue | GST_BUFFER_FLAG_DROPPABLE.rawValue

    @Test(arguments: ElementCase.all, [false, true])
    func keepsTimesFlagsAndMetadata(_ element: ElementCase, _ isShared: Bool) throws {
        let frame = try ElementCase.grayFrame()
        let buffer = frame.buffer
        (buffer.pointee.pts, buffer.pointee.dts, buffer.pointee.duration) = (4_000_000_000, 3_960_000_000, 7)
        (buffer.pointee.offset, buffer.pointee.offset_end) = (5, 6)
        buffer.pointee.mini_object.flags |= Self.flags
        let clock = gst_caps_from_string("timestamp/x-test")
        defer { gst_caps_unref(clock) }
        gst_buffer_add_reference_timestamp_meta(buffer, clock, 123, 4)
        let harness = try element.harness(frame.caps)
        #expect((isShared ? harness.push(shared: frame) : harness.push(frame)) == GST_FLOW_OK)
        let result = try #require(harness.pull())
        let out = result.buffer.pointee
        #expect([out.pts, out.dts, out.duration] == [4_000_000_000, 3_960_000_000, 7])
        #expect([out.offset, out.offset_end] == [5, 6])
        #expect(out.mini_object.flags & Self.flags == Self.flags)
        #expect(gst_buffer_get_reference_timestamp_meta(result.buffer, clock)?.pointee.timestamp == 123)
        #expect(element.hasWorked(on: result))
    }

    /// After a `tee`, other elements read the same frame.
    @Test(arguments: ElementCase.all)
    func leavesASharedFrameAsItWas(_ element: ElementCase) throws {
        let frame = try ElementCase.grayFrame()
        let before = frame.duplicate()
        let harness = try element.harness(frame.caps)
        #expect(harness.push(shared: frame) == GST_FLOW_OK)
        let result = try #require(harness.pull())
        #expect(element.hasWorked(on: result))
        #expect(frame.hasSameSamples(as: before))
        #expect((result.buffer == frame.buffer) == element.passesBuffers)
        if let meta = element.meta {
            #expect(frame.count(ofMeta: meta) == 0)
            #expect(result.memory == frame.memory, "an analyser copies no pixels")
        }
    }

    @Test(arguments: ElementCase.all)
    func passesEventsInTheirOrder(_ element: ElementCase) throws {
        let frame = try ElementCase.grayFrame()
        let harness = try element.harness(frame.caps)
        _ = harness.events()
        let structure = { gst_structure_new_empty("application/x-test") }
        let events = [
            gst_event_new_tag(gst_tag_list_new_from_string("taglist, title=a")),
            gst_event_new_custom(GST_EVENT_CUSTOM_DOWNSTREAM, structure()),
            gst_event_new_custom(GST_EVENT_CUSTOM_DOWNSTREAM_OOB, structure()),
            gst_event_new_gap(0, 40_000_000), gst_event_new_stream_group_done(3), gst_event_new_eos(),
        ]
        let types = events.compactMap { $0.map { people_event_type($0) } }
        for event in events { #expect(harness.push(event: event)) }
        #expect(harness.events() == types)
        #expect(element.complaints(harness.messages()) == [])
    }

    @Test(arguments: ElementCase.all)
    func passesEventsUpstream(_ element: ElementCase) throws {
        let harness = try element.harness(caps("I420", 64, 48))
        _ = harness.upstreamEvents()
        let structure = { gst_structure_new_empty("application/x-test") }
        let events = [
            gst_event_new_custom(GST_EVENT_CUSTOM_UPSTREAM, structure()),
            gst_event_new_navigation(structure()), gst_event_new_qos(GST_QOS_TYPE_UNDERFLOW, 1, 0, 0),
            gst_event_new_latency(5),
        ]
        let types = events.compactMap { $0.map { people_event_type($0) } }
        for event in events { harness.push(upstream: event) }
        #expect(harness.upstreamEvents() == types)
    }

    @Test(arguments: ElementCase.all)
    func passesGaps(_ element: ElementCase) throws {
        let frame = try ElementCase.grayFrame()
        let harness = try element.harness(frame.caps)
        for time in 0..<3 as Range<GstClockTime> {
            #expect(harness.push(event: gst_event_new_gap(time * 80_000_000, 40_000_000)))
            #expect(try element.works(harness, on: frame))
        }
        #expect(harness.events().filter { $0 == GST_EVENT_GAP }.count == 3)
        #expect(element.complaints(harness.messages()) == [])
    }

    @Test(arguments: ElementCase.all)
    func endsWithoutData(_ element: ElementCase) throws {
        let pipeline = try Pipeline("videotestsrc num-buffers=0 ! \(element.line) ! fakesink")
        #expect(pipeline.play().map(\.kind) == [.endOfStream])
    }

    @Test(arguments: ElementCase.all)
    func answersForUpstream(_ element: ElementCase) throws {
        let frame = try ElementCase.grayFrame()
        let harness = try element.harness(frame.caps, isLive: true)
        // What buffers may have that pass is for the element downstream to say.
        if element.passesBuffers { harness.addDownstreamSupport(gst_video_meta_api_get_type()) }
        harness.setUpstreamLatency(40_000_000)
        #expect(try element.works(harness, on: frame))
        #expect(harness.latency >= 40_000_000)
        #expect(harness.proposesVideoMeta(for: frame.caps))
    }
}
