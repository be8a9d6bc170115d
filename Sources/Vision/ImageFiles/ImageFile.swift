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
