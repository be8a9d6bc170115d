import CTurboJPEG
import Glibc
public import Imaging

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
