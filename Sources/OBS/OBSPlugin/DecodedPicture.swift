import COBS
import Imaging

/// A picture that OBS has decoded, of 8 bits a channel.
final class DecodedPicture {
    let view: ImageView
    private let bytes: UnsafeMutablePointer<UInt8>

    /// Reads a file.
    ///
    /// - Parameter color: the colour beneath transparent parts.
    init(_ path: String, over color: RGBColor) throws(BackgroundError) {
        var (format, width, height) = (GS_UNKNOWN, UInt32(0), UInt32(0))
        guard
            let bytes = gs_create_texture_file_data2(path, GS_IMAGE_ALPHA_STRAIGHT, &format, &width, &height)
        else { throw .unreadable(path) }
        let known: PixelFormat? =
            switch format {
            case GS_RGBA: .rgba
            case GS_BGRA: .bgra
            case GS_BGRX: .bgrx
            default: nil
            }
        let stride = Int(width) &* 4
        guard let known,
            let view = MutableImageView(
                format: known, width: Int(width), height: Int(height),
                plane: MutablePlane(base: bytes, stride: stride), byteCount: stride &* Int(height))
        else {
            bfree(bytes)
            throw .unusable(path, "its size or its format is not supported")
        }
        if known != .bgrx { view.flatten(on: color) }
        (self.bytes, self.view) = (bytes, ImageView(view))
    }

    deinit { bfree(bytes) }
}
