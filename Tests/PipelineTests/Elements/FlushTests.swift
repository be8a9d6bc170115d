import CGStreamer
import TestSupport
import Testing

/// Flushes between frames.
struct FlushTests {
    private func stopFlushing(_ harness: Harness) {
        harness.push(event: gst_event_new_flush_stop(1))
        var segment = GstSegment()
        gst_segment_init(&segment, GST_FORMAT_TIME)
        harness.push(event: gst_event_new_segment(&segment))
    }

    @Test(arguments: ElementCase.all)
    func refusesFramesWhileItFlushes(_ element: ElementCase) throws {
        let frame = try ElementCase.grayFrame()
        let harness = try element.harness(frame.caps)
        for _ in 0..<10 {
            #expect(try element.works(harness, on: frame))
            harness.push(event: gst_event_new_flush_start())
            #expect(harness.push(frame) == GST_FLOW_FLUSHING)
            #expect(harness.pull() == nil)
            stopFlushing(harness)
        }
        #expect(try element.works(harness, on: frame))
        #expect(element.complaints(harness.messages()) == [])
    }

    @Test(arguments: ElementCase.all)
    func aFlushUndoesTheEndOfTheStream(_ element: ElementCase) throws {
        let frame = try ElementCase.grayFrame()
        let harness = try element.harness(frame.caps)
        #expect(harness.push(event: gst_event_new_eos()))
        #expect(harness.push(frame) == GST_FLOW_EOS)
        harness.push(event: gst_event_new_flush_start())
        stopFlushing(harness)
        #expect(try element.works(harness, on: frame))
    }

    @Test(arguments: ElementCase.all)
    func passesFlushesOn(_ element: ElementCase) throws {
        let frame = try ElementCase.grayFrame()
        let harness = try element.harness(frame.caps)
        _ = harness.events()
        harness.push(event: gst_event_new_flush_start())
        stopFlushing(harness)
        #expect(harness.events() == [GST_EVENT_FLUSH_START, GST_EVENT_FLUSH_STOP, GST_EVENT_SEGMENT])
    }
}
