import CVips
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

/// A turn of upright pictures and frames, by the options `--rotate` and `--flip`.
struct PictureTurn: Equatable, Sendable {
    /// The sides that a flip exchanges.
    enum Flip: String, CaseIterable, Sendable { case horizontal, vertical }

    /// Quarters of a turn clockwise, 0 to 3.
    private var quarters = 0
    /// The flip after the turn; nil for none.
    private var flip: Flip?

    init() {}

    /// Whether width and height are exchanged.
    var isSideways: Bool { quarters % 2 != 0 }

    /// ffmpeg's filters that make the turn.
    var filters: [String] {
        let turn = [[], ["transpose=clock"], ["hflip", "vflip"], ["transpose=cclock"]][quarters & 3]
        return turn + (flip.map { [$0 == .horizontal ? "hflip" : "vflip"] } ?? [])
    }

    /// Returns the turned picture.
    func applied(to picture: VipsPicture) throws(VipsFailure) -> VipsPicture {
        let turned = try picture.applying { people_vips_turned($0, $1, Int32(quarters & 3)) }
        guard let flip else { return turned }
        return try turned.applying { people_vips_flipped($0, $1, flip == .vertical ? 1 : 0) }
    }

    static var options: [Option<PictureTurn>] {
        [
            Option(
                "rotate", .word(["90", "180", "270"]), "turn what is read clockwise by these degrees"
            ) { (turn: inout PictureTurn, text: String) throws(ToolError) in
                guard let index = ["90", "180", "270"].firstIndex(of: text) else {
                    throw .usage("--rotate is 90, 180 or 270, not \(text)")
                }
                turn.quarters = index + 1
            },
            Option(
                "flip", .word(Flip.allCases.map(\.rawValue)),
                "exchange left and right (horizontal) or top and bottom (vertical), after --rotate"
            ) { (turn: inout PictureTurn, text: String) throws(ToolError) in
                guard let flip = Flip(rawValue: text) else {
                    throw .usage("--flip is horizontal or vertical, not \(text)")
                }
                turn.flip = flip
            },
        ]
    }
}
