import CTurboJPEG
import Glibc
public import Imaging

/// The background of a blended image.
public enum ImageBackground: Sendable {
    /// An image, which is scaled to fill the other; what sticks out is cut off evenly.
    case image(ImageFile)
    /// A plain colour.
    case color(RGBColor)
}

extension ImageFile {
    /// Blends the image with a background: background + (image - background) * mask, at each pixel.
    ///
    /// - Parameters:
    ///   - mask: a mask of the whole stored image, at any size.
    ///   - background: the part where the mask is 0.
    /// - Returns: an upright image of the same number of pixels.
    /// - Throws: `ImageFileError.tooLarge` when memory is short.
    public func blended(by mask: Mask, over background: ImageBackground) throws(ImageFileError) -> ImageFile {
        guard let copy = UprightImage(view, orientation), let mask = mask.upright(orientation) else {
            throw .tooLarge(name)
        }
        // The code below uses only pointers into the memory of these.
        defer { withExtendedLifetime((copy, mask)) {} }
        var scaled: UprightImage?
        defer { withExtendedLifetime(scaled) {} }
        let source: BackgroundSource
        switch background {
        case .color(let color): source = .color(color)
        case .image(let file):
            let size = (width: copy.view.width, height: copy.view.height)
            scaled = UprightImage(file.view, file.orientation, filling: size)
            guard let scaled else { throw .tooLarge(file.name) }
            source = .picture(ImageView(scaled.view))
        }
        do throws(CompositingError) {
            try MaskCompositor().composite(copy.view, mask: mask.view, Composition(source: source))
        } catch { throw .undecodable(name, error.description) }
        return try ImageFile(upright: ImageView(copy.view), named: name)
    }

    /// Writes the image as a JPEG, in its stored orientation.
    ///
    /// - Parameter quality: 1 (smallest) to 100 (best).
    /// - Throws: `ImageFileError.unwritable`.
    public func writeJPEG(to path: String, quality: Int = 92) throws(ImageFileError) {
        guard let encoder = tjInitCompress() else { throw .unwritable(path, "there is no memory") }
        defer { tjDestroy(encoder) }
        var bytes: UnsafeMutablePointer<UInt8>?
        var count: UInt = 0
        defer { tjFree(bytes) }
        let plane = view.plane(0)
        let done = tjCompress2(
            encoder, plane.row(0), Int32(view.width), Int32(plane.stride), Int32(view.height),
            Int32(TJPF_RGB.rawValue), &bytes, &count, Int32(TJSAMP_444.rawValue),
            Int32(min(max(quality, 1), 100)), 0)
        guard done == 0, let bytes else {
            throw .unwritable(path, tjGetErrorStr2(encoder).map { String(cString: $0) } ?? "unknown error")
        }
        guard let file = fopen(path, "wb") else { throw .unwritable(path, String(cString: strerror(errno))) }
        let isWritten = fwrite(bytes, 1, Int(count), file) == Int(count)
        let why = errno
        guard fclose(file) == 0, isWritten else { throw .unwritable(path, String(cString: strerror(why))) }
    }
}
