import CGStreamer
import Imaging

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

    /// Lends the pixels to `body`; nil when the frame is not RGBA, or does not hold what its caps say.
    func withImage<Result>(_ body: (ImageView) -> Result) -> Result? {
        var info = GstVideoInfo()
        guard let caps = gst_sample_get_caps(sample), gst_video_info_from_caps(&info, caps) != 0,
            info.finfo.pointee.format == GST_VIDEO_FORMAT_RGBA, let buffer = gst_sample_get_buffer(sample)
        else { return nil }
        var map = GstVideoFrame()
        guard gst_video_frame_map(&map, &info, buffer, GST_MAP_READ) != 0 else { return nil }
        defer { gst_video_frame_unmap(&map) }
        guard let base = map.data.0 else { return nil }
        let (height, stride) = (Int(info.height), Int(map.info.stride.0))
        let image = ImageView(
            format: .rgba, width: Int(info.width), height: height, plane: Plane(base: base, stride: stride),
            byteCount: stride * height)
        return image.map(body)
    }
}

extension Frame {
    /// A frame of its own for a cut-out; nil when memory is short.
    convenience init?(_ picture: CutOut) {
        let text = "video/x-raw,format=RGBA,width=\(picture.width),height=\(picture.height),framerate=0/1"
        guard let caps = gst_caps_from_string(text) else { return nil }
        defer { gst_caps_unref(caps) }
        guard let buffer = gst_buffer_new_memdup(picture.pixels, gsize(picture.pixels.count)) else {
            return nil
        }
        defer { gst_buffer_unref(buffer) }
        guard let sample = gst_sample_new(buffer, caps, nil, nil) else { return nil }
        self.init(taking: sample)
    }
}
