import CTurboJPEG
import Imaging

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
