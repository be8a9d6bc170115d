import CGStreamer

extension VideoElement {
    /// Returns the frame's presentation time in milliseconds, for the log.
    public func time(of frame: borrowing VideoFrame) -> String {
        frame.presentationTime.map { "\($0 / 1_000_000) ms" } ?? "without a time"
    }

    /// Returns the running time at which the frame is shown, in nanoseconds; nil when unknown.
    public func runningTime(of frame: borrowing VideoFrame) -> UInt64? {
        frame.presentationTime.flatMap { runningTime(of: GstClockTime($0)) }
    }

    func runningTime(of time: GstClockTime) -> UInt64? {
        guard hasTimes else { return nil }
        let running = gst_segment_to_running_time(&gstTransform.pointee.segment, GST_FORMAT_TIME, time)
        return running == .max ? nil : UInt64(running)
    }

    /// Returns the stream time of a presentation time; nil when unknown.
    func streamTime(of time: GstClockTime) -> UInt64? {
        guard hasTimes else { return nil }
        let stream = gst_segment_to_stream_time(&gstTransform.pointee.segment, GST_FORMAT_TIME, time)
        return stream == .max ? nil : UInt64(stream)
    }

    /// Whether the segment is in time format; some sources count bytes, and their frames have no times.
    private var hasTimes: Bool { gstTransform.pointee.segment.format == GST_FORMAT_TIME }

    /// Whether frames come at the pace of a clock, as a camera's do, and not as fast as they are taken.
    public var isLive: Bool {
        gstTransform.pointee.sinkpad.map { GStreamer.Pad(retaining: $0).hasLiveSource } ?? false
    }
}

extension VideoElement {
    /// Posts an element message about `frame` on the bus, for applications that do not look at buffers.
    ///
    /// Besides the fields of `fill`, the message has the times at which the frame is shown: `timestamp`,
    /// `stream-time` and `running-time`, in nanoseconds; unknown ones are left out.
    public func post(
        message name: String, at frame: borrowing VideoFrame, _ fill: (StructureWriter) -> Void
    ) {
        guard let structure = gst_structure_new_empty(name) else { return }
        let fields = StructureWriter(structure: structure)
        if let time = frame.presentationTime { writeTimes(time, to: fields) }
        fill(fields)
        gst_element_post_message(gstElement, gst_message_new_element(gstObject, structure))
    }

    private func writeTimes(_ time: UInt64, to fields: StructureWriter) {
        fields.set("timestamp", nanoseconds: time)
        let position = GstClockTime(time)
        if let time = streamTime(of: position) { fields.set("stream-time", nanoseconds: time) }
        if let time = runningTime(of: position) { fields.set("running-time", nanoseconds: time) }
    }
}
