import CGStreamer

extension Frame {
    /// Lends all bytes of the buffer for reading and writing.
    public func withBytes(_ body: (UnsafeMutableRawPointer) -> Void) {
        var map = GstMapInfo()
        let flags = GstMapFlags(rawValue: GST_MAP_READ.rawValue | GST_MAP_WRITE.rawValue)
        guard gst_buffer_map(buffer, &map, flags) != 0 else { return }
        defer { gst_buffer_unmap(buffer, &map) }
        if let data = map.data { body(UnsafeMutableRawPointer(data)) }
    }
}
