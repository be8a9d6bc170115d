import CGStreamer

/// Removes what GStreamer 1.22's `x265enc` puts before the first frame of high dynamic range.
///
/// It copies the encoder's headers and memory behind them, in which parsers find units that are none. The encoder
/// itself writes its headers into the stream once more.
enum HEVCHeaders {
    /// - Parameter pad: where the encoder's frames arrive.
    static func removeCopies(at pad: Pad) {
        onBuffer(pad) { info in
            guard let data = info.pointee.data else { return }
            let frame = data.assumingMemoryBound(to: GstBuffer.self)
            guard let start = lastHeader(of: frame), start > 0,
                let rest = gst_buffer_copy_region(
                    frame, copied, gsize(start), gst_buffer_get_size(frame) - gsize(start))
            else { return }
            (rest.pointee.pts, rest.pointee.dts) = (frame.pointee.pts, frame.pointee.dts)
            rest.pointee.duration = frame.pointee.duration
            info.pointee.data = UnsafeMutableRawPointer(rest)
            gst_buffer_unref(frame)
        }
    }

    private static let copied = GstBufferCopyFlags(
        rawValue: GST_BUFFER_COPY_FLAGS.rawValue | GST_BUFFER_COPY_TIMESTAMPS.rawValue
            | GST_BUFFER_COPY_META.rawValue | GST_BUFFER_COPY_MEMORY.rawValue)

    /// A start code and a video parameter set's header (ITU-T H.265, 7.3.1.2 and B.2).
    private static let parameterSet: [UInt8] = [0, 0, 1, 0x40, 1]

    /// Where the last video parameter set begins; nil where there are fewer than two.
    private static func lastHeader(of frame: UnsafeMutablePointer<GstBuffer>) -> Int? {
        var map = GstMapInfo()
        guard gst_buffer_map(frame, &map, GST_MAP_READ) != 0 else { return nil }
        defer { gst_buffer_unmap(frame, &map) }
        let bytes = UnsafeBufferPointer(start: map.data, count: Int(clamping: map.size))
        guard bytes.count > parameterSet.count,
            bytes.starts(with: parameterSet)
                || bytes.dropFirst().starts(with: parameterSet)
        else { return nil }
        let last = stride(from: bytes.count - parameterSet.count, through: 0, by: -1).first { place in
            bytes[place...].starts(with: parameterSet)
        }
        return last.flatMap { $0 > 1 ? $0 : nil }
    }
}
