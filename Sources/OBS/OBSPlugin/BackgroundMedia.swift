import COBS
import Imaging

/// Reasons why a picture or clip cannot be shown.
enum BackgroundError: Error, CustomStringConvertible {
    case unreadable(String)
    case unusable(String, String)
    case unplayable(String)
    case noPlayer
    case noMemory

    var description: String {
        switch self {
        case .unreadable(let path): "Could not read \"\(path)\"; choose a JPEG, PNG or other picture."
        case .unusable(let path, let why): "Could not use \"\(path)\": \(why)."
        case .unplayable(let path): "Could not play \"\(path)\"; choose another clip."
        case .noPlayer: "Clips need OBS's media source: install or switch on the plugin obs-ffmpeg."
        case .noMemory: "There is no memory for the background."
        }
    }
}

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

/// An image with memory of its own.
final class OwnedImage: @unchecked Sendable {
    // Unchecked: the worker writes it before it is handed over.
    let view: MutableImageView
    private let planes: [UnsafeMutableRawPointer]

    /// Returns nil for a size that an image cannot have.
    init?(_ kind: FrameKind) {
        let (layout, width, height) = (kind.format.layout, kind.width, kind.height)
        let sides = 1...ImageView.maximumSide
        guard sides.contains(width), sides.contains(height) else { return nil }
        var (planes, views) = ([UnsafeMutableRawPointer](), [(MutablePlane, Int)]())
        for index in 0..<layout.planeCount {
            let stride = (layout.rowBytes(plane: index, width: width) + 31) & ~31
            let bytes = stride * layout.rows(plane: index, height: height)
            let memory = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 32)
            planes.append(memory)
            views.append((MutablePlane(base: memory, stride: stride), bytes))
        }
        func plane(_ index: Int) -> (MutablePlane, Int) { views[min(index, views.count - 1)] }
        let view = MutableImageView(
            format: kind.format, width: width, height: height, colorimetry: kind.colorimetry,
            planes: (plane(0).0, plane(1).0, plane(2).0, plane(3).0),
            byteCounts: (plane(0).1, plane(1).1, plane(2).1, plane(3).1))
        guard let view else {
            for memory in planes { memory.deallocate() }
            return nil
        }
        (self.planes, self.view) = (planes, view)
    }

    deinit { for memory in planes { memory.deallocate() } }

    /// Whether the image is one of these frames.
    func has(_ kind: FrameKind) -> Bool {
        view.format == kind.format && view.width == kind.width && view.height == kind.height
            && view.colorimetry == kind.colorimetry
    }
}
