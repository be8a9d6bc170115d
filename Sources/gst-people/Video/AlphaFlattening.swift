import GStreamerKit

/// Lays transparent pictures on black.
///
/// Leaving out the alpha channel would uncover what lies under transparent pixels: editors keep the
/// colours of what was erased.
enum AlphaFlattening {
    /// Name of the element whose output is flattened; it must give `BitDepth.pixelsWithAlpha`.
    static let elementName = "flatten"

    static func install(in chain: GStreamer.Element, _ depth: BitDepth) {
        chain.element(named: elementName)?.pad("src")?.onBuffer { info in
            // Wider numbers hold products of two samples.
            _ = info.writableBuffer?.withBytes { bytes in
                switch depth {
                case .eight: multiply(bytes.bindMemory(to: UInt8.self), as: UInt16.self)
                case .ten: multiply(bytes.bindMemory(to: UInt16.self), as: UInt32.self)
                }
            }
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
