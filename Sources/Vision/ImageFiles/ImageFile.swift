import CPNG
import CTurboJPEG
import Files
import Glibc
public import Imaging

/// A PNG or JPEG image, decoded into memory of its own: 8-bit R'G'B' in the stored orientation.
///
/// PNGs of 16 bits are rounded to 8; transparent ones are laid on mid-grey. Missing parts of a damaged JPEG
/// are grey. JPEGs of four inks (CMYK) are not supported.
public final class ImageFile: Sendable {
    // Unsafe only for the compiler, which does not know that nobody writes to the memory any more.
    private nonisolated(unsafe) let pixels: PixelMemory
    /// The pixels, valid as long as the object lives.
    public nonisolated(unsafe) let view: ImageView
    /// The turn that makes the image upright: EXIF of a JPEG, and `.up` for a PNG.
    public let orientation: ImageOrientation
    /// The name of the image in errors.
    let name: String

    /// Reads and decodes a file.
    ///
    /// - Throws: `ImageFileError` when the file cannot be read, is neither PNG nor JPEG, is too damaged to be
    ///   decoded, or has a side of more than `ImageView.maximumSide` pixels.
    public convenience init(reading path: String) throws(ImageFileError) {
        try self.init(bytes(ofFile: path), named: path)
    }

    /// Decodes the contents of a file.
    ///
    /// - Parameters:
    ///   - bytes: contents of a PNG or JPEG file.
    ///   - name: name of the image in errors.
    /// - Throws: the errors of `init(reading:)`.
    public init(_ bytes: [UInt8], named name: String = "picture") throws(ImageFileError) {
        self.name = name
        if bytes.starts(with: [0x89, 0x50, 0x4e, 0x47]) {
            pixels = try decodePNG(bytes, name)
            orientation = .up
        } else if bytes.starts(with: [0xff, 0xd8]) {
            pixels = try decodeJPEG(bytes, name)
            orientation = ImageOrientation(exifOf: bytes) ?? .up
        } else {
            throw .unknownFormat(name)
        }
        guard let view = pixels.view else { throw .tooLarge(name) }
        self.view = view
    }

    /// Copies the colours of an upright RGBA image.
    init(upright image: ImageView, named name: String) throws(ImageFileError) {
        guard let pixels = PixelMemory(width: image.width, height: image.height), let view = pixels.view
        else {
            throw .tooLarge(name)
        }
        for y in 0..<image.height {
            let source = image.plane(0).row(y)
            let target = (pixels.base + y * pixels.stride).assumingMemoryBound(to: UInt8.self)
            for x in 0..<image.width {
                for channel in 0..<3 { target[3 * x + channel] = source[4 * x + channel] }
            }
        }
        (self.pixels, self.view, self.orientation, self.name) = (pixels, view, .up, name)
    }
}

extension ImageFile {
    /// R', G' and B' of each pixel, row by row without gaps.
    var samples: [UInt8] {
        defer { withExtendedLifetime(self) {} }
        return Array(
            UnsafeBufferPointer(start: view.plane(0).row(0), count: 3 * view.width * view.height))
    }
}

extension Mask {
    /// One byte for each value, row by row without gaps.
    var greyBytes: [UInt8] { values.map { UInt8($0 * 255 + 0.5) } }
}

/// Memory for a packed R'G'B' image.
final class PixelMemory {
    let width: Int
    let height: Int
    let base: UnsafeMutableRawPointer
    var stride: Int { 3 * width }

    /// Returns nil when a side is out of range, or memory is short.
    init?(width: Int, height: Int) {
        let sides = 1...ImageView.maximumSide
        // `allocate` would end the program when memory is short.
        guard sides.contains(width), sides.contains(height), let base = calloc(height, 3 * width) else {
            return nil
        }
        (self.width, self.height, self.base) = (width, height, base)
    }

    deinit { free(base) }

    var view: ImageView? {
        ImageView(
            format: .rgb, width: width, height: height, plane: Plane(base: base, stride: stride),
            byteCount: stride * height)
    }
}

private func bytes(ofFile path: String) throws(ImageFileError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .unreadable(path, String(cString: strerror(errno))) }
    defer { close(descriptor) }
    // A directory can be opened, but not read.
    guard let bytes = Descriptor.readAll(from: descriptor) else {
        throw .unreadable(path, String(cString: strerror(errno)))
    }
    return bytes
}

/// The reason why an image file could not be read or written; `name` is its path.
public enum ImageFileError: Error, Equatable, CustomStringConvertible {
    /// The file does not exist, or reading it is not permitted.
    case unreadable(_ name: String, _ why: String)
    /// The file is neither a PNG nor a JPEG.
    case unknownFormat(_ name: String)
    /// The image cannot be decoded, or not by this library.
    case undecodable(_ name: String, _ why: String)
    /// A side is larger than `ImageView.maximumSide`, or memory is short.
    case tooLarge(_ name: String)
    /// The file could not be written.
    case unwritable(_ name: String, _ why: String)

    /// The failure in a sentence.
    public var description: String {
        switch self {
        case .unreadable(let name, let why): "\(name) could not be read: \(why)"
        case .unknownFormat(let name): "\(name) is neither a PNG nor a JPEG"
        case .undecodable(let name, let why): "\(name) could not be decoded: \(why)"
        case .tooLarge(let name): "\(name) has more pixels than can be held"
        case .unwritable(let name, let why): "\(name) could not be written: \(why)"
        }
    }
}

/// Decodes a PNG with libpng's simplified API.
func decodePNG(_ bytes: [UInt8], _ name: String) throws(ImageFileError) -> PixelMemory {
    var image = png_image()
    image.version = png_uint_32(PNG_IMAGE_VERSION)
    defer { png_image_free(&image) }
    // libpng keeps the address from the first call to the last.
    let result = bytes.withUnsafeBytes { bytes in
        Result { () throws(ImageFileError) in
            guard png_image_begin_read_from_memory(&image, bytes.baseAddress, bytes.count) != 0 else {
                throw .undecodable(name, image.reason)
            }
            image.format = png_uint_32(PNG_FORMAT_FLAG_COLOR)
            // Cameras and editors write 16-bit images in sRGB, like 8-bit images.
            image.flags |= png_uint_32(PNG_IMAGE_FLAG_16BIT_sRGB)
            guard let pixels = PixelMemory(width: Int(image.width), height: Int(image.height)) else {
                throw .tooLarge(name)
            }
            var background = png_color(red: 127, green: 127, blue: 127)
            let stride = png_int_32(pixels.stride)
            guard png_image_finish_read(&image, &background, pixels.base, stride, nil) != 0 else {
                throw .undecodable(name, image.reason)
            }
            return pixels
        }
    }
    return try result.get()
}

extension Mask {
    /// Writes the mask as an 8-bit grey PNG of its own size: black is background, white is person.
    ///
    /// - Throws: `ImageFileError.unwritable`.
    public func writePNG(to path: String) throws(ImageFileError) {
        try write(greyBytes, png_uint_32(PNG_FORMAT_GRAY), width: view.width, height: view.height, to: path)
    }
}

extension ImageFile {
    /// Writes the image as an 8-bit PNG, in its stored orientation.
    ///
    /// - Throws: `ImageFileError.unwritable`.
    public func writePNG(to path: String) throws(ImageFileError) {
        try write(
            samples, png_uint_32(PNG_FORMAT_FLAG_COLOR), width: view.width, height: view.height, to: path)
    }
}

extension CutOut {
    /// Writes the cut-out as an 8-bit PNG with alpha.
    ///
    /// - Throws: `ImageFileError.unwritable`.
    public func writePNG(to path: String) throws(ImageFileError) {
        let format = png_uint_32(PNG_FORMAT_FLAG_COLOR | PNG_FORMAT_FLAG_ALPHA)
        try write(pixels, format, width: width, height: height, to: path)
    }
}

/// Writes 8-bit samples as a PNG; rows follow each other without gaps.
private func write(
    _ samples: [UInt8], _ format: png_uint_32, width: Int, height: Int, to path: String
) throws(ImageFileError) {
    var image = png_image()
    image.version = png_uint_32(PNG_IMAGE_VERSION)
    image.width = png_uint_32(width)
    image.height = png_uint_32(height)
    image.format = format
    // A stride of 0 means rows without gaps.
    guard png_image_write_to_file(&image, path, 0, samples, 0, nil) != 0 else {
        throw .unwritable(path, image.reason)
    }
}

extension png_image {
    /// The message of libpng.
    fileprivate var reason: String {
        withUnsafeBytes(of: message) { bytes in String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self) }
    }
}

/// Decodes a JPEG with TurboJPEG.
func decodeJPEG(_ bytes: [UInt8], _ name: String) throws(ImageFileError) -> PixelMemory {
    guard let decoder = tjInitDecompress() else { throw .undecodable(name, reason(nil)) }
    defer { tjDestroy(decoder) }
    let byteCount = UInt(bytes.count)
    var (width, height, subsampling, colorspace): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
    guard tjDecompressHeader3(decoder, bytes, byteCount, &width, &height, &subsampling, &colorspace) == 0
    else { throw .undecodable(name, reason(decoder)) }
    guard let pixels = PixelMemory(width: Int(width), height: Int(height)) else { throw .tooLarge(name) }
    let target = pixels.base.assumingMemoryBound(to: UInt8.self)
    let format = Int32(TJPF_RGB.rawValue)
    let stride = Int32(truncatingIfNeeded: pixels.stride)
    guard
        tjDecompress2(decoder, bytes, byteCount, target, width, stride, height, format, 0) == 0
            // A file that is truncated, or followed by other bytes, still shows most of the image.
            || tjGetErrorCode(decoder) == Int32(TJERR_WARNING.rawValue)
    else { throw .undecodable(name, reason(decoder)) }
    return pixels
}

private func reason(_ decoder: tjhandle?) -> String {
    tjGetErrorStr2(decoder).map { String(cString: $0) } ?? "unknown error"
}

extension Mask {
    /// Writes the mask as a grey JPEG of its own size: black is background, white is person.
    ///
    /// - Parameters:
    ///   - path: name of the file.
    ///   - quality: 1 (smallest) to 100 (best).
    /// - Throws: `ImageFileError.unwritable`.
    public func writeJPEG(to path: String, quality: Int = 92) throws(ImageFileError) {
        try encodeJPEG(greyBytes, .grey, width: view.width, height: view.height, quality, to: path)
    }
}

extension ImageFile {
    /// Writes the image as a JPEG, in its stored orientation.
    ///
    /// - Parameters:
    ///   - path: name of the file.
    ///   - quality: 1 (smallest) to 100 (best).
    /// - Throws: `ImageFileError.unwritable`.
    public func writeJPEG(to path: String, quality: Int = 92) throws(ImageFileError) {
        try encodeJPEG(samples, .color, width: view.width, height: view.height, quality, to: path)
    }
}

/// The samples of a JPEG that is written.
private enum JPEGSamples {
    /// One byte for each pixel.
    case grey
    /// R', G' and B' of each pixel.
    case color

    var format: TJPF { self == .grey ? TJPF_GRAY : TJPF_RGB }
    /// Colours keep their resolution, so that edges against a plain background stay clean.
    var subsampling: TJSAMP { self == .grey ? TJSAMP_GRAY : TJSAMP_444 }
}

/// Encodes 8-bit samples and writes them; rows follow each other without gaps.
private func encodeJPEG(
    _ samples: [UInt8], _ kind: JPEGSamples, width: Int, height: Int, _ quality: Int, to path: String
) throws(ImageFileError) {
    guard let encoder = tjInitCompress() else { throw .unwritable(path, reason(nil)) }
    defer { tjDestroy(encoder) }
    var bytes: UnsafeMutablePointer<UInt8>?
    var count: UInt = 0
    defer { tjFree(bytes) }
    let done = tjCompress2(
        encoder, samples, Int32(width), 0, Int32(height), Int32(kind.format.rawValue), &bytes, &count,
        Int32(kind.subsampling.rawValue), Int32(min(max(quality, 1), 100)), 0)
    guard done == 0, let bytes else { throw .unwritable(path, reason(encoder)) }
    guard let file = fopen(path, "wb") else { throw .unwritable(path, String(cString: strerror(errno))) }
    let isWritten = fwrite(bytes, 1, Int(count), file) == Int(count)
    let why = errno
    guard fclose(file) == 0, isWritten else {
        throw .unwritable(path, String(cString: strerror(isWritten ? errno : why)))
    }
}
