import CGStreamer

extension VideoElement {
    /// Posts an element message about `frame` on the bus, for applications that do not look at buffers.
    ///
    /// Besides what `fill` writes, it says when the frame is shown: `timestamp`, `stream-time` and
    /// `running-time`, in nanoseconds; left out where unknown.
    public func post(
        message name: StaticString, at frame: borrowing VideoFrame, _ fill: (StructureWriter) -> Void
    ) {
        guard let structure = name.withCString({ gst_structure_new_empty($0) }) else { return }
        let fields = StructureWriter(structure: structure)
        if let time = frame.presentationTime { writeTimes(time, to: fields) }
        fill(fields)
        gst_element_post_message(gstElement, gst_message_new_element(gstObject, structure))
    }

    private func writeTimes(_ time: UInt64, to fields: StructureWriter) {
        fields.set("timestamp", nanoseconds: time)
        let position = guint64(time)
        let segment = gstTransform.pointer(to: \.segment)
        let streamTime = gst_segment_to_stream_time(segment, GST_FORMAT_TIME, position)
        let runningTime = gst_segment_to_running_time(segment, GST_FORMAT_TIME, position)
        if streamTime != .max { fields.set("stream-time", nanoseconds: UInt64(streamTime)) }
        if runningTime != .max { fields.set("running-time", nanoseconds: UInt64(runningTime)) }
    }
}
