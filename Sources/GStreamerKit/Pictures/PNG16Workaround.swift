import CGStreamer

/// A workaround for what GStreamer 1.22's pngdec makes of PNGs with 16 bits for each of red, green and blue.
///
/// It starts each row at the place of red instead of that of alpha: all samples are one too far.
enum PNG16Workaround {
    /// A repaired copy of a decoded picture without transparency; nil when it is as it should be.
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
        let isShifted = repair(samples)
        gst_buffer_unmap(copy, &map)
        return isShifted ? gst_sample_new(copy, caps, nil, nil) : nil
    }

    /// Moves the samples back; false when alpha is where it belongs.
    private static func repair(_ samples: UnsafeMutableBufferPointer<UInt16>) -> Bool {
        let isRight = stride(from: 0, to: samples.count, by: 4).allSatisfy { samples[$0] == .max }
        guard !isRight, samples.count >= 8 else { return false }
        for index in 1..<samples.count { samples[index - 1] = samples[index] }
        // The last pixel's blue fell out of the buffer.
        samples[samples.count - 1] = samples[samples.count - 5]
        return true
    }
}
