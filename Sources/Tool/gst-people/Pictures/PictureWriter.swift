import CVips
import CommandKit
import FileNames

/// Writes still pictures with libvips, with metadata.
enum PictureWriter {
    /// Writes an image.
    ///
    /// - Parameters:
    ///   - format: the file format; JPEG has no alpha.
    ///   - file: written completely, but not yet renamed to its final name.
    static func write(
        _ image: PackedPixels, _ metadata: PictureMetadata?, as format: StillFormat, to file: OutputFile
    ) throws(ToolError) {
        try encode(image, metadata, as: format, for: file.path) { bytes throws(ToolError) in
            try file.write(bytes)
        }
    }

    /// Returns the contents of the file that `write` would write.
    ///
    /// - Parameter name: name of the picture in messages.
    static func bytes(
        of image: PackedPixels, _ metadata: PictureMetadata?, as format: StillFormat, for name: String
    ) throws(ToolError) -> [UInt8] {
        try encode(image, metadata, as: format, for: name) { Array($0) }
    }

    private static func encode<Result>(
        _ image: PackedPixels, _ metadata: PictureMetadata?, as format: StillFormat, for name: String,
        _ body: (UnsafeRawBufferPointer) throws(ToolError) -> Result
    ) throws(ToolError) -> Result {
        let encoded = try WatchedWork.run(name, "while it is encoded") {
            () -> Swift.Result<EncodedPicture, VipsFailure> in
            Vips.forgetErrors()
            do throws(VipsFailure) {
                let picture = try VipsPicture(
                    pixels: image.samples, width: image.width, height: image.height, bands: image.bands)
                metadata?.apply(to: picture)
                return .success(try EncodedPicture(picture, format))
            } catch {
                return .failure(error)
            }
        }
        switch encoded {
        case .success(let encoded):
            defer { withExtendedLifetime(encoded) {} }
            return try body(encoded.bytes)
        case .failure(let failure):
            throw ToolError(.output, "\(name) cannot be written: \(failure.reason).")
        }
    }
}

/// An encoded picture.
private final class EncodedPicture: @unchecked Sendable {
    // Unchecked: only `init` writes.
    let bytes: UnsafeRawBufferPointer

    init(_ picture: VipsPicture, _ format: StillFormat) throws(VipsFailure) {
        var (memory, count) = (UnsafeMutableRawPointer?.none, 0)
        let status =
            switch format {
            case .png: people_vips_png(picture.raw, &memory, &count)
            case .jpeg: people_vips_jpeg(picture.raw, &memory, &count)
            case .webp: people_vips_webp(picture.raw, &memory, &count)
            }
        guard status == 0 else { throw VipsFailure() }
        bytes = UnsafeRawBufferPointer(start: memory, count: count)
    }

    deinit { g_free(UnsafeMutableRawPointer(mutating: bytes.baseAddress)) }
}
