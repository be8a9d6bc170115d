import CGStreamer

/// Times of what passes a pad.
enum StreamTime {
    /// Two times that differ by less, in nanoseconds, are of one frame: containers round.
    static let tolerance: UInt64 = 500_000

    /// The time of a buffer as a player shows it, in nanoseconds; nil for one outside of the part that is played.
    static func of(_ time: GstClockTime, at pad: Pad) -> UInt64? {
        withSegment(at: pad) { gst_segment_to_stream_time($0, GST_FORMAT_TIME, guint64(time)) }
    }

    /// The time of a buffer since the output began, in nanoseconds.
    static func running(_ time: GstClockTime, at pad: Pad) -> UInt64? {
        withSegment(at: pad) { gst_segment_to_running_time($0, GST_FORMAT_TIME, guint64(time)) }
    }

    /// The time at which what the pad plays begins, in nanoseconds.
    static func start(at pad: Pad) -> UInt64? {
        guard let segment = segment(at: pad) else { return nil }
        return segment.time == .max ? nil : UInt64(segment.time)
    }

    private static func withSegment(
        at pad: Pad, _ convert: (UnsafePointer<GstSegment>) -> guint64
    ) -> UInt64? {
        guard var segment = segment(at: pad) else { return nil }
        let converted = convert(&segment)
        return converted == .max ? nil : UInt64(converted)
    }

    private static func segment(at pad: Pad) -> GstSegment? {
        guard let event = gst_pad_get_sticky_event(pad, GST_EVENT_SEGMENT, 0) else { return nil }
        defer { gst_event_unref(event) }
        var segment: UnsafePointer<GstSegment>?
        gst_event_parse_segment(event, &segment)
        guard let segment, segment.pointee.format == GST_FORMAT_TIME else { return nil }
        return segment.pointee
    }
}

extension UnsafeMutablePointer<GstPadProbeInfo> {
    /// The presentation time of the buffer; nil when it has none.
    var presentationTime: GstClockTime? {
        guard let data = pointee.data else { return nil }
        let time = data.assumingMemoryBound(to: GstBuffer.self).pointee.pts
        return time == .max ? nil : time
    }
}
