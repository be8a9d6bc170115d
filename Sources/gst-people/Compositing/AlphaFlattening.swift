import CommandKit
import GStreamerKit

/// Lays transparent frames on black.
///
/// Leaving out the alpha channel would uncover what lies under transparent pixels: editors keep the
/// colours of what was erased.
enum AlphaFlattening {
    /// Name of the element whose output, RGBA of 8 bits, is flattened.
    static let elementName = "flatten"

    static func install(in chain: GStreamer.Element) {
        chain.element(named: elementName)?.pad("src")?.onBuffer { info in
            _ = info.writableBuffer?.withBytes { multiply($0.bindMemory(to: UInt8.self)) }
        }
    }

    /// Multiplies colours by alpha, four samples a pixel; rows have no padding.
    private static func multiply(_ samples: UnsafeMutableBufferPointer<UInt8>) {
        for pixel in stride(from: 0, to: samples.count & ~3, by: 4) where samples[pixel + 3] != .max {
            let alpha = UInt16(samples[pixel + 3])
            for channel in pixel..<pixel + 3 {
                samples[channel] = UInt8(truncatingIfNeeded: (UInt16(samples[channel]) * alpha + 127) / 255)
            }
            samples[pixel + 3] = .max
        }
    }
}
