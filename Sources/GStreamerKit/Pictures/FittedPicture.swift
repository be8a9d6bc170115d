import CGStreamer
public import Imaging

/// A picture placed and converted into a stream's own format, size and colorimetry.
public final class FittedPicture: @unchecked Sendable {
    // Written by `init` only; the mapping keeps the converted buffer alive.
    private let frame: VideoFrame

    /// The picture as the stream would carry it.
    public var image: ImageView { frame.image }

    /// Whether the style's border colour is seen anywhere.
    public let showsBorder: Bool

    /// Converts `picture` for a stream.
    ///
    /// - Throws: `GST_RESOURCE_ERROR_READ` when the picture cannot be converted.
    public static func fitting(
        _ picture: StillPicture, to info: VideoInfo, _ style: PictureStyle
    ) throws(ElementError) -> FittedPicture {
        guard
            let fitted = try PictureFitter(for: info, style).fit(picture.sample, turned: picture.orientation)
        else {
            throw .unconvertible
        }
        return fitted
    }

    /// The same picture stretched to other frames; nil when memory is short.
    public func refitted(to info: VideoInfo) -> FittedPicture? {
        let (old, new) = (frame.info, info)
        guard let pool = MemoryPool(byteCount: Int(clamping: new.raw.size)), let output = pool.acquire(),
            let converter = RawConverter(from: old.raw, old.bounds, to: new.raw, new.bounds),
            converter.convert(frame.buffer, into: output.raw)
        else { return nil }
        return FittedPicture(output, new, showsBorder: showsBorder)
    }

    /// A picture that is already as the stream wants it.
    init?(_ buffer: borrowing MemoryBuffer, _ info: VideoInfo, showsBorder: Bool) {
        guard let frame = VideoFrame(mapping: buffer.raw, as: info, .hold) else { return nil }
        self.frame = frame
        self.showsBorder = showsBorder
    }
}

extension VideoInfo {
    fileprivate var bounds: PixelRect { PixelRect(x: 0, y: 0, width: width, height: height) }
}
