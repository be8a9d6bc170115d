import CPNG
public import Imaging

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
