import GStreamerKit
public import Imaging
public import PeopleVision

/// The image of a video buffer, mapped for reading as long as the object lives.
///
///     let image = GStreamerImage(buffer, caps: caps)
///     let faces = try await DetectFaceRectanglesRequest().perform(on: image)
public final class GStreamerImage: Sendable {
    // Unsafe only for the compiler: the mapping is for reading, and keeps the buffer alive.
    private nonisolated(unsafe) let frame: VideoFrame
    /// The rotation or reflection that makes the stored image upright.
    public let orientation: ImageOrientation

    /// Maps a buffer, and keeps a reference to it.
    ///
    /// - Parameters:
    ///   - buffer: a `GstBuffer`, to which nobody may write as long as the image lives.
    ///   - caps: the `GstCaps` of its stream.
    ///   - orientation: rotation or reflection that makes the stored image upright: that of the stream's tag
    ///     `image-orientation`.
    /// - Returns: nil when the caps are not raw video in one of the known formats, or the buffer does not have
    ///   the image that they describe.
    public init?(
        _ buffer: UnsafeMutableRawPointer, caps: UnsafeMutableRawPointer, orientation: ImageOrientation = .up
    ) {
        let buffer = GStreamer.Buffer(retaining: buffer)
        guard let info = VideoInfo(GStreamer.Caps(retaining: caps)),
            let frame = VideoFrame(holding: buffer, as: info)
        else { return nil }
        self.frame = frame
        self.orientation = orientation
    }

    /// The pixels, valid as long as the object lives.
    public var view: ImageView { frame.image }

    /// The buffer's presentation time; nil where it has none.
    public var time: Duration? { frame.presentationTime.map { .nanoseconds($0) } }

    /// The frame as requests take it, valid as long as the object lives.
    fileprivate var input: InputFrame {
        InputFrame(
            view, orientation: orientation, nanoseconds: frame.presentationTime,
            seconds: Double(frame.duration) / 1e9)
    }
}

extension ImageRequestHandler {
    /// Creates a handler of a buffer's image, which it keeps.
    public init(_ image: GStreamerImage) {
        self.init(image.view, orientation: image.orientation, keeping: image)
    }
}

extension StreamFrame {
    /// Creates a frame of a buffer's image, which it keeps.
    public init(_ image: GStreamerImage) {
        self.init(image.view, orientation: image.orientation, time: image.time, keeping: image)
    }
}

extension VisionRequest {
    /// Analyses a buffer's image: a single one, or the next frame of a stream, as `mode` says.
    public func perform(on image: GStreamerImage) throws(VisionError) -> Observation {
        defer { withExtendedLifetime(image) {} }
        return try perform(on: image.input)
    }

    /// Analyses a buffer's image on a thread of the library.
    ///
    /// - Parameters:
    ///   - image: a single image, or the next frame of a stream, as `mode` says.
    ///   - isolation: the actor of the caller.
    public func perform(
        on image: GStreamerImage, isolation: isolated (any Actor)? = #isolation
    ) async throws(VisionError) -> Observation {
        defer { withExtendedLifetime(image) {} }
        return try await perform(on: image.input, isolation: isolation)
    }
}
