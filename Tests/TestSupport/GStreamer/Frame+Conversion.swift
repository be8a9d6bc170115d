public import CGStreamer
import GStreamerKit
public import Imaging

extension Frame {
    /// Returns the picture converted to other caps by GStreamer's own converters; also scales and encodes.
    public func converted(to caps: String) throws -> Frame {
        guard let frame = Frame(try convertedSample(caps)) else {
            throw SetupFailure("\(caps) are no raw video")
        }
        return frame
    }

    /// Returns the picture as a file of that media type: `image/png`, `image/jpeg`.
    public func encoded(as type: String) throws -> [UInt8] {
        try convertedSample(type).buffer.map { Frame.bytes(of: $0.pointer) } ?? []
    }

    private func convertedSample(_ target: String) throws -> GStreamer.Sample {
        guard let from = GStreamer.Caps(caps), let to = GStreamer.Caps(target),
            let sample = GStreamer.Sample(content, from)
        else { throw SetupFailure("bad caps \(target)") }
        var error: UnsafeMutablePointer<GError>?
        defer { g_clear_error(&error) }
        let converted = sample.withOpaque {
            gst_video_convert_sample($0, to.pointer(), 30_000_000_000, &error)
        }
        guard let converted else {
            throw SetupFailure(
                error.map { String(cString: $0.pointee.message) } ?? "cannot convert to \(target)")
        }
        return GStreamer.Sample(taking: UnsafeMutableRawPointer(converted))
    }

    /// Returns the first frame of a source, converted to `caps`.
    public static func first(of source: String, caps: String) throws -> Frame? {
        let pipeline = try Pipeline(
            "\(source) ! videoconvert ! videoscale ! \(caps) ! appsink name=sink sync=false max-buffers=1")
        pipeline.set(state: GST_STATE_PLAYING)
        return pipeline.pullSample(from: "sink")
    }

    /// Returns a picture file, converted to `caps`.
    public static func picture(_ path: String, _ caps: String) throws -> Frame {
        guard let frame = try first(of: "filesrc location=\(path) ! decodebin", caps: caps) else {
            throw SetupFailure("cannot decode \(path)")
        }
        return frame
    }

    /// Returns all bytes of a buffer.
    public static func bytes(of buffer: UnsafeMutablePointer<GstBuffer>) -> [UInt8] {
        GStreamer.BufferView(buffer).withBytes { Array($0) } ?? []
    }

    /// Lends a packed RGB frame to the library, which does not use GStreamer.
    public func withImage<Result>(_ body: (ImageView) throws -> Result) throws -> Result {
        var map = GstMapInfo()
        guard format == "RGB", gst_buffer_map(buffer, &map, GST_MAP_READ) != 0, let data = map.data else {
            throw SetupFailure("the frame is not RGB")
        }
        defer { gst_buffer_unmap(buffer, &map) }
        let plane = Plane(base: data, stride: (3 * width + 3) / 4 * 4)
        let count = Int(map.size)
        guard
            let image = ImageView(
                format: .rgb, width: width, height: height, plane: plane, byteCount: count)
        else { throw SetupFailure("the frame's rows are padded") }
        return try body(image)
    }
}

// MARK: - Parts

extension Frame {
    /// Attaches a GstVideoCropMeta for a part: x, y, width, height.
    public func crop(to part: [Int]) {
        let meta = gst_buffer_add_meta(buffer, gst_video_crop_meta_get_info(), nil)
        guard let crop = UnsafeMutableRawPointer(meta)?.assumingMemoryBound(to: GstVideoCropMeta.self) else {
            return
        }
        (crop.pointee.x, crop.pointee.y) = (guint(part[0]), guint(part[1]))
        (crop.pointee.width, crop.pointee.height) = (guint(part[2]), guint(part[3]))
    }

    /// Returns the visible part, converted to other caps.
    ///
    /// GStreamer cuts the part out with `videocrop`, which reports that a single sample has no times.
    public func visiblePart(as caps: String) throws -> Frame {
        var part: Frame?
        _ = try ReportedFaults.during { part = try converted(to: caps) }
        guard let part else { throw SetupFailure("nothing was converted") }
        return part
    }

    /// Returns the same buffer with other caps.
    public func seen(as text: String) throws -> Frame {
        guard let caps = GStreamer.Caps(text) else { throw SetupFailure("bad caps") }
        guard let frame = Frame(content, caps) else { throw SetupFailure("caps of no raw video") }
        return frame
    }
}
