public import CGStreamer

extension Frame {
    /// The same picture as other caps describe it, by GStreamer's own converters; scales and encodes too.
    public func converted(to caps: String) throws -> Frame {
        let sample = try convertedSample(caps)
        guard let frame = Frame(takingSample: sample) else { throw SetupFailure("\(caps) are no raw video") }
        return frame
    }

    /// The picture as a file of that media type: `image/png`, `image/jpeg`.
    public func encoded(as type: String) throws -> [UInt8] {
        let sample = try convertedSample(type)
        defer { gst_sample_unref(sample) }
        return gst_sample_get_buffer(sample).map { Frame.bytes(of: $0) } ?? []
    }

    private func convertedSample(_ target: String) throws -> OpaquePointer {
        let from = gst_caps_from_string(caps)
        let to = gst_caps_from_string(target)
        defer {
            gst_caps_unref(from)
            gst_caps_unref(to)
        }
        let sample = gst_sample_new(buffer, from, nil, nil)
        defer { gst_sample_unref(sample) }
        var error: UnsafeMutablePointer<GError>?
        defer { g_clear_error(&error) }
        guard let converted = gst_video_convert_sample(sample, to, 30_000_000_000, &error) else {
            throw SetupFailure(
                error.map { String(cString: $0.pointee.message) } ?? "cannot convert to \(target)")
        }
        return converted
    }

    /// The first frame of a source, converted to `caps`.
    public static func first(of source: String, caps: String) throws -> Frame? {
        let pipeline = try Pipeline(
            "\(source) ! videoconvert ! videoscale ! \(caps) ! appsink name=sink sync=false max-buffers=1")
        pipeline.set(state: GST_STATE_PLAYING)
        return pipeline.pullSample(from: "sink")
    }

    /// A picture file, converted to `caps`.
    public static func picture(_ path: String, _ caps: String) throws -> Frame {
        guard let frame = try first(of: "filesrc location=\(path) ! decodebin", caps: caps) else {
            throw SetupFailure("cannot decode \(path)")
        }
        return frame
    }

    /// All bytes of a buffer.
    public static func bytes(of buffer: UnsafeMutablePointer<GstBuffer>) -> [UInt8] {
        var map = GstMapInfo()
        guard gst_buffer_map(buffer, &map, GST_MAP_READ) != 0 else { return [] }
        defer { gst_buffer_unmap(buffer, &map) }
        return Array(UnsafeBufferPointer(start: map.data, count: Int(map.size)))
    }
}
