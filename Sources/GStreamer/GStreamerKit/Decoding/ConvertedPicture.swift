import CGStreamer
package import Imaging
import Synchronization

/// A picture that is placed and converted into a stream's own format, size and colorimetry.
package final class ConvertedPicture: @unchecked Sendable {
    // Unchecked: only `init` writes; the mapping keeps the converted buffer alive.
    private let frame: VideoFrame

    /// The picture as the stream would carry it.
    package var image: ImageView { frame.image }

    /// Number that no other picture of this process has.
    package let revision: UInt64
    private static let lastRevision = Atomic<UInt64>(0)

    /// Whether the style's border colour is visible anywhere.
    package let showsBorder: Bool

    /// Converts `picture` for a stream.
    ///
    /// - Throws: `GST_RESOURCE_ERROR_READ` when the picture cannot be converted.
    package static func converting(
        _ picture: StillPicture, to info: VideoInfo, _ style: PictureStyle
    ) throws(ElementError) -> ConvertedPicture {
        let converter = try PictureConverter(for: info, style)
        guard let converted = converter.convert(picture.sample, orientation: picture.orientation) else {
            throw .unconvertible
        }
        return converted
    }

    /// Returns this picture stretched to frames of another format; nil when memory is short.
    package func stretched(to info: VideoInfo) -> ConvertedPicture? {
        let (old, new) = (frame.info, info)
        guard let converter = RawVideoConverter(from: old.raw, old.bounds, to: new.raw, new.bounds),
            let pool = MemoryPool(byteCount: Int(clamping: new.raw.size))
        else { return nil }
        guard let output = pool.acquire() else { return nil }
        guard converter.convert(frame.buffer, into: output.raw) else { return nil }
        return ConvertedPicture(output, new, showsBorder: showsBorder)
    }

    /// Wraps a picture that is already in the stream's format.
    init?(_ buffer: borrowing MemoryBuffer, _ info: VideoInfo, showsBorder: Bool) {
        guard let frame = VideoFrame(mapping: buffer.raw, as: info, .hold) else { return nil }
        self.frame = frame
        self.showsBorder = showsBorder
        revision = Self.lastRevision.add(1, ordering: .relaxed).newValue
    }
}

extension VideoInfo {
    fileprivate var bounds: PixelRect { PixelRect(x: 0, y: 0, width: width, height: height) }
}
