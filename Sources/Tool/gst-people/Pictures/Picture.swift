import CommandKit
import GStreamerKit
import Imaging

/// An upright still picture in sRGB with 8 bits per sample, with its metadata.
struct Picture: Sendable {
    let width: Int
    let height: Int
    /// Three samples per pixel, or four with alpha, row by row without gaps.
    let pixels: [UInt8]
    let hasAlpha: Bool
    let metadata: PictureMetadata
    /// Changes and omissions, as phrases for the user.
    let notes: [String]
}

extension Picture {
    /// The picture on black, without alpha.
    ///
    /// Dropping the alpha channel alone would uncover the colours of transparent pixels: editors keep the
    /// colours of erased parts.
    var onBlack: Picture {
        guard hasAlpha else { return self }
        var opaque: [UInt8] = []
        opaque.reserveCapacity(3 * width * height)
        var isTransparent = false
        for pixel in stride(from: 0, to: pixels.count & ~3, by: 4) {
            let alpha = UInt16(pixels[pixel + 3])
            isTransparent = isTransparent || alpha < 255
            for sample in pixels[pixel..<pixel + 3] {
                opaque.append(UInt8(truncatingIfNeeded: (UInt16(sample) * alpha + 127) / 255))
            }
        }
        return Picture(
            width: width, height: height, pixels: opaque, hasAlpha: false, metadata: metadata,
            notes: notes + (isTransparent ? ["transparent parts become black"] : []))
    }

    /// Returns the picture with a note that comes first.
    func noting(_ note: String) -> Picture {
        Picture(
            width: width, height: height, pixels: pixels, hasAlpha: hasAlpha, metadata: metadata,
            notes: [note] + notes)
    }

    /// A frame for GStreamer; nil when memory is short.
    var frame: Frame? {
        let bands = hasAlpha ? 4 : 3
        let format = hasAlpha ? "RGBA" : "RGB"
        // Rows of frames begin at multiples of four bytes.
        let (row, stride) = (width * bands, (width * bands + 3) & ~3)
        let text = "video/x-raw,format=\(format),width=\(width),height=\(height),framerate=0/1"
        guard let caps = GStreamer.Caps(text), let buffer = GStreamer.Buffer(byteCount: stride * height)
        else {
            return nil
        }
        buffer.writableView.setPresentationTime(0)
        let isFilled: Void? = buffer.writableView.withBytes { target in
            pixels.withUnsafeBytes { source in
                for y in 0..<height {
                    UnsafeMutableRawBufferPointer(rebasing: target[y * stride..<y * stride + row])
                        .copyMemory(from: UnsafeRawBufferPointer(rebasing: source[y * row..<(y + 1) * row]))
                }
            }
        }
        return isFilled == nil ? nil : Frame(buffer, caps)
    }
}

extension Picture {
    /// The pixels alone.
    var packed: PackedPixels { PackedPixels(width: width, height: height, pixels, hasAlpha: hasAlpha) }
}
