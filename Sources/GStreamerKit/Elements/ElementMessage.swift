import CGStreamer

extension VideoElement {
    /// Posts an element message about `frame` on the bus, for applications that do not look at buffers.
    ///
    /// Besides what `fill` writes, it says when the frame is shown: `timestamp`, `stream-time` and
    /// `running-time`, in nanoseconds; left out where unknown.
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
