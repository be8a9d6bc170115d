import CGStreamer
import Imaging

/// A clip that plays over and over, fitted to a stream's frames and paced by that stream's own times.
///
/// It is decoded and converted on threads of its own, a few frames ahead. Nothing that happens to it stops
/// the stream: while a frame is late, or none comes any more, the last one stays.
public final class LoopingClip: Sendable {
    private let decoder: ClipDecoder

    /// Starts to decode.
    ///
    /// - Parameters:
    ///   - location: a path, relative to the current directory unless absolute, or a URI.
    ///   - waits: for streams without a clock of their own: waits for a late frame, two seconds at most,
    ///     once for each time that the clip is late, so that transcoding shows the right frames.
    public init(
        _ location: String, for info: VideoInfo, _ style: PictureStyle, waits: Bool
    ) throws(ElementError) {
        decoder = try ClipDecoder(
            MediaLocation(location), PictureConverter(for: info, style),
            capacity: Self.capacity(bytes: Int(clamping: info.raw.size)), patience: waits ? 2_000_000 : 0)
        decoder.start()
    }

    deinit { decoder.stop() }

    /// Frames decoded ahead: a quarter of a second, less when they are large.
    private static func capacity(bytes: Int) -> Int { max(2, min(8, (64 << 20) / max(1, bytes))) }

    /// The frame to show at a running time of the stream; nil until the first one is decoded.
    ///
    /// The first call starts the clip; when time jumps back, the clip goes on where it was.
    public func frame(at time: UInt64?) -> ConvertedPicture? { decoder.timeline.frame(at: time) }

    /// Fits the frames that are decoded from now on in another way.
    public func restyle(_ style: PictureStyle) { decoder.restyle(style) }

    /// Why no more frames come, the first time that it is asked.
    public func takeFailure() -> ElementError? { decoder.takeFailure() }

    /// Ends all waiting for frames, and decodes no more.
    public func interrupt() { decoder.timeline.end() }

    /// Ends decoding; waits for the frame that is being decoded.
    public func stop() { decoder.stop() }
}
