import CGStreamer

/// Lays transparent pictures on black.
///
/// Leaving out the alpha channel would uncover what lies under transparent pixels: editors keep the
/// colours of what was erased.
enum AlphaFlattening {
    /// Name of the element whose output is flattened; it must give `BitDepth.pixelsWithAlpha`.
    static let elementName = "flatten"

    static func install(in chain: Element, _ depth: BitDepth) {
        _ = withElement(elementName, in: chain) { element in
            guard let pad = gst_element_get_static_pad(element, "src") else { return }
            onBuffer(pad) { info in flatten(info, depth) }
            gst_object_unref(pad)
        }
    }

    private static func flatten(_ info: UnsafeMutablePointer<GstPadProbeInfo>, _ depth: BitDepth) {
        guard let buffer = writableBuffer(of: info) else { return }
        var map = GstMapInfo()
        let access = GstMapFlags(rawValue: GST_MAP_READ.rawValue | GST_MAP_WRITE.rawValue)
        guard gst_buffer_map(buffer, &map, access) != 0 else { return }
        defer { gst_buffer_unmap(buffer, &map) }
        let bytes = UnsafeMutableRawBufferPointer(start: map.data, count: Int(clamping: map.size))
        // Wider numbers hold products of two samples.
        switch depth {
        case .eight: multiply(bytes.bindMemory(to: UInt8.self), as: UInt16.self)
        case .ten: multiply(bytes.bindMemory(to: UInt16.self), as: UInt32.self)
        }
    }

    /// Colour times alpha, for four samples a pixel; rows have no padding that is not whole pixels.
    private static func multiply<Sample: FixedWidthInteger & UnsignedInteger, Product: FixedWidthInteger>(
        _ samples: UnsafeMutableBufferPointer<Sample>, as _: Product.Type
    ) {
        let opaque = Product(Sample.max)
        for pixel in stride(from: 0, to: samples.count & ~3, by: 4) where samples[pixel + 3] != .max {
            let alpha = Product(samples[pixel + 3])
            for channel in pixel..<pixel + 3 {
                samples[channel] = Sample(
                    truncatingIfNeeded: (Product(samples[channel]) * alpha + opaque / 2) / opaque)
            }
            samples[pixel + 3] = .max
        }
    }
}
