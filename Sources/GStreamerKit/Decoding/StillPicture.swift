import CGStreamer
import Imaging

/// A picture, or the first frame of a clip, in whatever format its decoder gave.
public final class StillPicture: @unchecked Sendable {
    // A GstSample is immutable once it is made and its reference count is atomic.
    let sample: OpaquePointer
    /// How the picture must be turned to be upright.
    let orientation: ImageOrientation
    /// True when more frames follow: the location is that of a clip.
    public let isClip: Bool

    /// Bytes of the decoded picture.
    public var byteCount: Int {
        gst_sample_get_buffer(sample).map { Int(clamping: gst_buffer_get_size($0)) } ?? 0
    }

    /// In microseconds.
    private static let longestWait: gint64 = 10_000_000

    private init(takingOwnership sample: OpaquePointer, _ orientation: ImageOrientation, isClip: Bool) {
        self.sample = sample
        self.orientation = orientation
        self.isClip = isClip
    }

    deinit { gst_sample_unref(sample) }

    /// Whether reading `location` does not wait for another machine.
    ///
    /// - Throws: `GST_RESOURCE_ERROR_OPEN_READ` when it is no location of a picture.
    public static func isOnThisMachine(_ location: String) throws(ElementError) -> Bool {
        try MediaLocation(location).isFile
    }

    /// Decodes what is at `location`.
    ///
    /// - Parameter location: a path, relative to the current directory unless absolute, or a URI.
    /// - Parameter isCancelled: asked while it waits; true ends the waiting.
    /// - Returns: nil when it was cancelled.
    /// - Throws: `GST_RESOURCE_ERROR_OPEN_READ` when nothing there can be decoded within ten seconds, or what is there
    ///   is too large.
    public static func load(
        _ location: String, isCancelled: () -> Bool = { false }
    ) throws(ElementError) -> StillPicture? {
        let decoder = try DecodingPipeline(MediaLocation(location))
        let header = EncodedHeader()
        header.watch(decoder.pipeline)
        decoder.play()
        let deadline = g_get_monotonic_time() + longestWait
        guard let first = try decoder.nextSample(location, deadline, isCancelled) else {
            if isCancelled() { return nil }
            throw .unreadable(location, "it contains no image")
        }
        // What breaks off after a good frame is a picture.
        if let second = try? decoder.nextSample(location, deadline, isCancelled) {
            gst_sample_unref(second)
            return StillPicture(takingOwnership: first, decoder.orientation.snapshot(), isClip: true)
        }
        return StillPicture(decoded: first, header, tagged: decoder.orientation.snapshot())
    }

    /// Takes over the sample of a single picture.
    private convenience init(decoded sample: OpaquePointer, _ header: EncodedHeader, tagged: ImageOrientation)
    {
        let orientation = ImageOrientation(exifOf: header.bytes) ?? tagged
        if header.isDeepOpaquePNG, let repaired = PNG16Workaround.repaired(sample) {
            gst_sample_unref(sample)
            self.init(takingOwnership: repaired, orientation, isClip: false)
        } else {
            self.init(takingOwnership: sample, orientation, isClip: false)
        }
    }
}

extension DecodingPipeline {
    /// The next decoded frame, owned by the caller; nil at the end, or when it was cancelled.
    fileprivate func nextSample(
        _ location: String, _ deadline: gint64, _ isCancelled: () -> Bool
    ) throws(ElementError) -> OpaquePointer? {
        let step: GstClockTime = 20_000_000
        while g_get_monotonic_time() < deadline {
            if isCancelled() { return nil }
            if let sample = gst_app_sink_try_pull_sample(sink, step) { return sample }
            if let refusal { throw .refused(location, refusal) }
            if let reason = readFault ?? failure() { throw .unreadable(location, reason) }
            if gst_app_sink_is_eos(sink) != 0 { return nil }
        }
        throw .unreadable(location, "no image arrived within ten seconds")
    }
}
