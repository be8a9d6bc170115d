import CGStreamer
public import Imaging

/// A one-in, one-out video element that works on the buffer it is given.
///
/// Frames that do not hold the picture their caps promise are dropped with a warning, so
/// `process` sees valid frames only. Results travel as metas on the frame.
open class VideoElement: Element {
    /// The GStreamer class to derive from.
    public enum Base: Sendable {
        /// `GstBaseTransform`: looks at frames and attaches metas; shared memory stays shared.
        case analyzer
        /// `GstVideoFilter`: changes pixels in place.
        case filter
    }

    /// The GStreamer class to derive from; also decides whether frames are mapped for writing.
    open class var base: Base { .analyzer }

    /// The formats of both pads' caps.
    open class var formats: [PixelFormat] { PixelFormat.allCases }

    /// True when the source pad also offers formats other than the input's; such frames are
    /// converted before `process` sees them.
    open class var changesFormat: Bool { false }

    private var info: VideoInfo?
    private var converter: FormatConverter?

    /// Takes note of the stream's caps, before the first frame and between frames.
    ///
    /// A thrown error is posted and fails negotiation.
    open func capsChanged(to info: VideoInfo) throws(ElementError) {}

    /// Works on one frame, which must not be kept beyond the call.
    ///
    /// A thrown error is posted on the bus and ends the stream.
    open func process(_ frame: borrowing VideoFrame) throws(ElementError) {}

    /// A tag said how the picture must be turned to be upright (GStreamer's `image-orientation`).
    open func orientationChanged(to orientation: ImageOrientation) {}

    /// The next frame does not follow the last: after a seek, a flush or a loss.
    open func discontinuity() {}
}

// MARK: - What the trampolines call

extension VideoElement {
    /// `formats` as GStreamer writes a list in caps.
    static var formatList: String { "{ " + formats.map(\.rawValue).joined(separator: ", ") + " }" }

    /// Late frames are skipped before they cost an inference, when the sink says that they are late.
    func prepareBase() {
        let transform = UnsafeMutableRawPointer(gobject).assumingMemoryBound(to: GstBaseTransform.self)
        gst_base_transform_set_qos_enabled(transform, 1)
    }

    func setCaps(input: VideoInfo, output: VideoInfo, converting: Bool) -> Bool {
        guard output.format != nil else { return false }
        return reporting { () throws(ElementError) in
            converter = converting ? try FormatConverter(from: input, to: output) : nil
            info = output
            try capsChanged(to: output)
        }
    }

    func stopStream() {
        stop()
        info = nil
        converter = nil
    }

    func transformInPlace(_ buffer: UnsafeMutablePointer<GstBuffer>) -> GstFlowReturn {
        guard let info else { return GST_FLOW_NOT_NEGOTIATED }
        if buffer.pointee.mini_object.flags & GST_BUFFER_FLAG_DISCONT.rawValue != 0 { discontinuity() }
        let access: VideoFrame.Access = Self.base == .filter ? .readWrite : .read
        guard let frame = VideoFrame(mapping: buffer, as: info, access) else { return drop() }
        let done = reporting { () throws(ElementError) in try process(frame) }
        return done ? GST_FLOW_OK : GST_FLOW_ERROR
    }

    func transform(
        _ input: UnsafeMutablePointer<GstBuffer>, into output: UnsafeMutablePointer<GstBuffer>
    ) -> GstFlowReturn {
        guard let converter else { return GST_FLOW_NOT_NEGOTIATED }
        guard converter.convert(input, into: output) else { return drop() }
        return transformInPlace(output)
    }

    private func drop() -> GstFlowReturn {
        post(
            warning: ElementError(
                .streamFormat, "Dropped a video frame that is smaller than its caps say.",
                debug: "the buffer's memory does not hold the planes of the negotiated format"))
        return people_flow_dropped
    }

    /// Runs `body`; posts what it throws and returns whether it ended well.
    func reporting(_ body: () throws(ElementError) -> Void) -> Bool {
        do throws(ElementError) {
            try body()
            return true
        } catch {
            post(error: error)
            return false
        }
    }
}
