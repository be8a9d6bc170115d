import CGStreamer

extension VideoElement {
    /// When the frame is shown, in nanoseconds since the pipeline started to play; nil when unknown.
    public func runningTime(of frame: borrowing VideoFrame) -> UInt64? {
        guard let time = frame.presentationTime else { return nil }
        let transform = UnsafeMutableRawPointer(gobject).assumingMemoryBound(to: GstBaseTransform.self)
        let running = gst_segment_to_running_time(
            &transform.pointee.segment, GST_FORMAT_TIME, guint64(time))
        return running == .max ? nil : UInt64(running)
    }

    /// Whether frames come at the pace of a clock, as a camera's do, and not as fast as they are taken.
    public var isLive: Bool {
        let transform = UnsafeMutableRawPointer(gobject).assumingMemoryBound(to: GstBaseTransform.self)
        guard let query = gst_query_new_latency() else { return false }
        defer { gst_query_unref(query) }
        guard gst_pad_peer_query(transform.pointee.sinkpad, query) != 0 else { return false }
        var isLive: gboolean = 0
        gst_query_parse_latency(query, &isLive, nil, nil)
        return isLive != 0
    }
}
