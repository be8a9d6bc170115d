import CGStreamer

/// A workaround for what GStreamer's pngdec makes of PNGs with 16 bits for each of red, green and blue, and none for alpha.
///
/// Before 1.22.5 it starts each row at the place of red instead of that of alpha: all samples are one too far. Since
/// then only the first pixel's alpha is left as the memory was.
enum PNG16Workaround {
    /// A repaired copy of a decoded picture without transparency; nil when it is of another format, or memory is short.
    static func repaired(_ sample: OpaquePointer) -> OpaquePointer? {
        guard let caps = gst_sample_get_caps(sample), let info = VideoInfo(caps: caps),
            info.raw.finfo?.pointee.format == GST_VIDEO_FORMAT_ARGB64,
            let buffer = gst_sample_get_buffer(sample), let copy = gst_buffer_copy_deep(buffer)
        else { return nil }
        defer { gst_buffer_unref(copy) }
        var map = GstMapInfo()
        let access = GstMapFlags(rawValue: GST_MAP_READ.rawValue | GST_MAP_WRITE.rawValue)
        guard gst_buffer_map(copy, &map, access) != 0 else { return nil }
        let samples = UnsafeMutableRawBufferPointer(start: map.data, count: Int(clamping: map.size))
            .bindMemory(to: UInt16.self)
        repair(samples)
        gst_buffer_unmap(copy, &map)
        return gst_sample_new(copy, caps, nil, nil)
    }

    private static func repair(_ samples: UnsafeMutableBufferPointer<UInt16>) {
        guard samples.count >= 8 else { return }
        if isShifted(samples) {
            for index in 1..<samples.count { samples[index - 1] = samples[index] }
            // The last pixel's blue fell out of the buffer.
            samples[samples.count - 1] = samples[samples.count - 5]
        }
        samples[0] = .max
    }

    /// Whether alpha, which is full in such a picture, is found one sample too far.
    private static func isShifted(_ samples: UnsafeMutableBufferPointer<UInt16>) -> Bool {
        // The first pixel's alpha tells nothing: both versions leave it as the memory was.
        let isRight = stride(from: 4, to: samples.count, by: 4).allSatisfy { samples[$0] == .max }
        let isFar = stride(from: 1, to: samples.count, by: 4).allSatisfy { samples[$0] == .max }
        // A picture whose red or blue is full everywhere fits both.
        return isRight && isFar ? isOldGStreamer : isFar
    }

    private static var isOldGStreamer: Bool {
        var (major, minor, micro, nano): (guint, guint, guint, guint) = (0, 0, 0, 0)
        gst_version(&major, &minor, &micro, &nano)
        return (major, minor, micro) < (1, 22, 5)
    }
}
