import CGStreamer

/// The first bytes that a picture's decoder gets, which tell what the decoder leaves out.
final class EncodedHeader: BinObserver {
    /// EXIF data are in one of the first segments, each of which is smaller than that.
    private static let limit = 1 << 17
    private let header = Guarded([UInt8]())

    /// What has come until now.
    var bytes: [UInt8] { header.snapshot() }

    /// Whether it is a PNG of 16 bits for each of red, green and blue, and none for alpha.
    var isDeepOpaquePNG: Bool {
        let (depth, colorType) = (24, 25)
        let bytes = bytes
        guard bytes.count > colorType, bytes.starts(with: [0x89, 0x50, 0x4e, 0x47]) else { return false }
        return bytes[depth] == 16 && bytes[colorType] == 2
    }

    /// Reads along at picture decoders.
    func added(_ element: UnsafeMutablePointer<GstElement>) {
        guard isPictureDecoder(element), let pad = gst_element_get_static_pad(element, "sink") else { return }
        defer { gst_object_unref(pad) }
        addProbe(to: pad, GST_PAD_PROBE_TYPE_BUFFER) { [self] _, info in
            guard let buffer = info.buffer else { return GST_PAD_PROBE_OK }
            return append(buffer) ? GST_PAD_PROBE_REMOVE : GST_PAD_PROBE_OK
        }
    }

    /// Returns true when no more is needed.
    private func append(_ buffer: UnsafeMutablePointer<GstBuffer>) -> Bool {
        var map = GstMapInfo()
        guard gst_buffer_map(buffer, &map, GST_MAP_READ) != 0 else { return true }
        defer { gst_buffer_unmap(buffer, &map) }
        let new = UnsafeBufferPointer(start: map.data, count: Int(clamping: map.size))
        return header.update { header in
            header.append(contentsOf: new.prefix(max(0, Self.limit - header.count)))
            return header.count >= Self.limit
        }
    }
}

private func isPictureDecoder(_ element: UnsafeMutablePointer<GstElement>) -> Bool {
    guard let factory = gst_element_get_factory(element),
        let klass = gst_element_factory_get_metadata(factory, "klass")
    else { return false }
    return String(cString: klass).contains("Decoder/Image")
}
