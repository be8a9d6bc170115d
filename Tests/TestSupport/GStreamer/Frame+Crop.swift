import CGStreamer

extension Frame {
    /// Says by a GstVideoCropMeta that a part is shown: x, y, width, height.
    public func crop(to part: [Int]) {
        let meta = gst_buffer_add_meta(buffer, gst_video_crop_meta_get_info(), nil)
        guard let crop = UnsafeMutableRawPointer(meta)?.assumingMemoryBound(to: GstVideoCropMeta.self) else {
            return
        }
        (crop.pointee.x, crop.pointee.y) = (guint(part[0]), guint(part[1]))
        (crop.pointee.width, crop.pointee.height) = (guint(part[2]), guint(part[3]))
    }

    /// The visible part in other caps.
    ///
    /// GStreamer cuts it out with `videocrop`, which reports that a sample by itself has no times.
    public func visiblePart(as caps: String) throws -> Frame {
        var part: Frame?
        _ = try ReportedFaults.during { part = try converted(to: caps) }
        guard let part else { throw SetupFailure("nothing was converted") }
        return part
    }

    /// The same buffer, seen with other caps.
    public func seen(as text: String) throws -> Frame {
        guard let caps = gst_caps_from_string(text) else { throw SetupFailure("bad caps") }
        defer { gst_caps_unref(caps) }
        guard let frame = Frame(takingBuffer: gst_buffer_ref(buffer), caps: caps) else {
            throw SetupFailure("caps of no raw video")
        }
        return frame
    }
}
