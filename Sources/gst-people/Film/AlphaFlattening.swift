import CGStreamer

/// Lays transparent pictures on black.
///
/// Leaving out the alpha channel would uncover what lies under transparent pixels: editors keep the
/// colours of what was erased.
enum AlphaFlattening {
    /// Name of the element whose output is flattened; it must be RGBA.
    static let elementName = "flatten"

    static func install(in chain: Element) {
        _ = withElement(elementName, in: chain) { element in
            guard let pad = gst_element_get_static_pad(element, "src") else { return }
            onBuffer(pad, flatten)
            gst_object_unref(pad)
        }
    }

    @Sendable private static func flatten(_ info: UnsafeMutablePointer<GstPadProbeInfo>) {
        guard let data = info.pointee.data,
            let writable = gst_mini_object_make_writable(data.assumingMemoryBound(to: GstMiniObject.self))
        else { return }
        info.pointee.data = UnsafeMutableRawPointer(writable)
        let buffer = UnsafeMutableRawPointer(writable).assumingMemoryBound(to: GstBuffer.self)
        var map = GstMapInfo()
        let access = GstMapFlags(rawValue: GST_MAP_READ.rawValue | GST_MAP_WRITE.rawValue)
        guard gst_buffer_map(buffer, &map, access) != 0 else { return }
        defer { gst_buffer_unmap(buffer, &map) }
        multiply(UnsafeMutableBufferPointer(start: map.data, count: Int(clamping: map.size)))
    }

    /// Colour times alpha, for four bytes a pixel; rows of RGBA have no padding that is not whole pixels.
    private static func multiply(_ bytes: UnsafeMutableBufferPointer<UInt8>) {
        for pixel in stride(from: 0, to: bytes.count & ~3, by: 4) where bytes[pixel + 3] != 255 {
            let alpha = UInt16(bytes[pixel + 3])
            for channel in pixel..<pixel + 3 {
                bytes[channel] = UInt8((UInt16(bytes[channel]) * alpha + 127) / 255)
            }
            bytes[pixel + 3] = 255
        }
    }
}
