import CPNG
import Imaging

/// A PNG picture in memory, 8-bit RGB, and writing masks as grey PNGs (libpng's `png_image`).
///
/// Pictures of 16 bits are rounded to 8; transparent ones are laid on mid-grey.
final class PNGFile {
    let view: ImageView
    private let pixels: UnsafeMutableRawPointer

    init(reading path: String) throws(PNGError) {
        var image = png_image()
        image.version = png_uint_32(PNG_IMAGE_VERSION)
        guard png_image_begin_read_from_file(&image, path) != 0 else { throw PNGError(path, image) }
        defer { png_image_free(&image) }
        image.format = png_uint_32(PNG_FORMAT_FLAG_COLOR)
        // Cameras and editors write 16-bit pictures in sRGB like the others.
        image.flags |= png_uint_32(PNG_IMAGE_FLAG_16BIT_sRGB)
        let (width, height) = (Int(image.width), Int(image.height))
        guard max(width, height) <= ImageView.maximumSide else {
            throw PNGError("\(path): larger than \(ImageView.maximumSide) pixels")
        }
        let pixels = UnsafeMutableRawPointer.allocate(byteCount: 3 * width * height, alignment: 16)
        var background = png_color(red: 127, green: 127, blue: 127)
        let plane = Plane(base: pixels, stride: 3 * width)
        guard png_image_finish_read(&image, &background, pixels, png_int_32(3 * width), nil) != 0,
            let view = ImageView(
                format: .rgb, width: width, height: height, plane: plane, byteCount: 3 * width * height)
        else {
            pixels.deallocate()
            throw PNGError(path, image)
        }
        self.view = view
        self.pixels = pixels
    }

    deinit { pixels.deallocate() }

    /// Writes `mask` as an 8-bit grey PNG of its own size.
    static func write(_ mask: Mask, to path: String) throws(PNGError) {
        let (width, height) = (mask.view.width, mask.view.height)
        let grey = mask.values.map { UInt8($0 * 255 + 0.5) }
        var image = png_image()
        image.version = png_uint_32(PNG_IMAGE_VERSION)
        image.width = png_uint_32(width)
        image.height = png_uint_32(height)
        guard png_image_write_to_file(&image, path, 0, grey, png_int_32(width), nil) != 0 else {
            throw PNGError(path, image)
        }
    }
}

/// Why a PNG could not be read or written.
struct PNGError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }

    init(_ path: String, _ image: png_image) {
        let message = withUnsafeBytes(of: image.message) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        self.init("\(path): \(message)")
    }
}
