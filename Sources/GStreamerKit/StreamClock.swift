import CGStreamer

extension VideoElement {
    /// When the frame is shown, in nanoseconds since the pipeline started to play; nil when unknown.
    public func runningTime(of frame: borrowing VideoFrame) -> UInt64? {
        frame.presentationTime.flatMap { runningTime(of: GstClockTime($0)) }
    }

    func runningTime(of time: GstClockTime) -> UInt64? {
        let running = gst_segment_to_running_time(&gstTransform.pointee.segment, GST_FORMAT_TIME, time)
        return running == .max ? nil : UInt64(running)
    }

    /// Whether frames come at the pace of a clock, as a camera's do, and not as fast as they are taken.
    public var isLive: Bool {
        guard let query = gst_query_new_latency() else { return false }
        defer { gst_query_unref(query) }
        guard gst_pad_peer_query(gstTransform.pointee.sinkpad, query) != 0 else { return false }
        var isLive: gboolean = 0
        gst_query_parse_latency(query, &isLive, nil, nil)
        return isLive != 0
    }
}
