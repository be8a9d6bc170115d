import CGStreamer

/// A decoded frame with what was found in it.
final class Frame {
    /// GStreamer's sample: the frame, its format and its place in the stream.
    let sample: OpaquePointer

    init(taking sample: OpaquePointer) { self.sample = sample }

    deinit { gst_sample_unref(sample) }

    /// When a player shows the frame, in seconds from the start of the film; nil when it never does.
    var streamTime: Double? {
        guard let buffer = gst_sample_get_buffer(sample), let segment = gst_sample_get_segment(sample) else {
            return nil
        }
        let none = GstClockTime.max
        guard buffer.pointee.pts != none else { return nil }
        let time = gst_segment_to_stream_time(segment, GST_FORMAT_TIME, guint64(buffer.pointee.pts))
        return time == guint64.max ? nil : Double(time) / 1e9
    }

    /// Pixels.
    var size: (width: Int, height: Int) {
        guard let caps = gst_sample_get_caps(sample), let fields = gst_caps_get_structure(caps, 0) else {
            return (0, 0)
        }
        var (width, height): (gint, gint) = (0, 0)
        gst_structure_get_int(fields, "width", &width)
        gst_structure_get_int(fields, "height", &height)
        return (Int(width), Int(height))
    }

    /// The fields of custom metadata; nil when the frame carries none of that name.
    func fields(ofMeta name: String) -> UnsafePointer<GstStructure>? {
        guard let buffer = gst_sample_get_buffer(sample), let meta = gst_buffer_get_custom_meta(buffer, name)
        else { return nil }
        return gst_custom_meta_get_structure(meta).map { UnsafePointer($0) }
    }
}
