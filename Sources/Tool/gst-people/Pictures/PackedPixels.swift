import CommandKit
import Imaging

/// An image in RGB or RGBA with 8 bits per sample, row by row without gaps.
struct PackedPixels: Sendable {
    let width: Int
    let height: Int
    /// Three samples per pixel, or four with alpha.
    private(set) var samples: [UInt8]
    let hasAlpha: Bool

    var bands: Int { hasAlpha ? 4 : 3 }

    init(width: Int, height: Int, _ samples: [UInt8], hasAlpha: Bool) {
        (self.width, self.height, self.samples, self.hasAlpha) = (width, height, samples, hasAlpha)
    }

    /// Lends the pixels to `body`; nil for a size that an image cannot have.
    mutating func withImage<Result>(_ body: (MutableImageView) -> Result) -> Result? {
        let (format, stride) = (hasAlpha ? PixelFormat.rgba : .rgb, width * bands)
        let (width, height) = (width, height)
        return samples.withUnsafeMutableBytes { bytes in
            guard let base = bytes.baseAddress,
                let image = MutableImageView(
                    format: format, width: width, height: height,
                    plane: MutablePlane(base: base, stride: stride), byteCount: bytes.count)
            else { return nil }
            return body(image)
        }
    }

    /// The image with an alpha channel, in which everything is opaque.
    var withAlpha: PackedPixels {
        guard !hasAlpha else { return self }
        var opaque = [UInt8](repeating: 255, count: samples.count / 3 * 4)
        for pixel in 0..<samples.count / 3 {
            for band in 0..<3 { opaque[4 * pixel + band] = samples[3 * pixel + band] }
        }
        return PackedPixels(width: width, height: height, opaque, hasAlpha: true)
    }

    /// The image without its alpha channel.
    var withoutAlpha: PackedPixels {
        guard hasAlpha else { return self }
        var opaque = [UInt8](repeating: 0, count: samples.count / 4 * 3)
        for pixel in 0..<samples.count / 4 {
            for band in 0..<3 { opaque[3 * pixel + band] = samples[4 * pixel + band] }
        }
        return PackedPixels(width: width, height: height, opaque, hasAlpha: false)
    }

    /// Returns the image without pixels at its sides; the image itself where nothing would be left.
    func cropped(_ crop: Crop) -> PackedPixels {
        let (left, top) = (max(0, crop.left), max(0, crop.top))
        let (right, bottom) = (width - max(0, crop.right), height - max(0, crop.bottom))
        guard left < right, top < bottom else { return self }
        var part: [UInt8] = []
        part.reserveCapacity((right - left) * (bottom - top) * bands)
        for y in top..<bottom {
            part += samples[(y * width + left) * bands..<(y * width + right) * bands]
        }
        return PackedPixels(width: right - left, height: bottom - top, part, hasAlpha: hasAlpha)
    }
}

extension ToolError {
    /// The error of a picture in whose sides there are more pixels than an image can have.
    static func tooLarge(_ name: String) -> ToolError {
        ToolError(
            .input, "\(name) cannot be read: it is wider or higher than \(ImageView.maximumSide) pixels.")
    }
}
