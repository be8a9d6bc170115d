import CGStreamer
public import Imaging

/// A one-in, one-out video element that works on the buffer it is given.
///
/// Frames that do not hold the image their caps promise are dropped with a warning, so
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

    /// True when `isIdle` may be.
    open class var mayBeIdle: Bool { false }

    /// Whether all frames pass as they are for now (`ProcessingMode.passthrough`), so that they may be in any memory; any thread may
    /// ask, at any time.
    open var isIdle: Bool { false }

    /// The kinds of metadata that it attaches to every frame.
    open class var attachedMetas: [CustomMeta] { [] }

    /// What becomes of a frame.
    public enum ProcessingMode: Sendable {
        /// Nothing: unless its format changes, it is neither mapped nor copied.
        case passthrough
        /// `process` works on it.
        case modify
        /// `process` writes all of it and reads none: where the format changes, it is not converted first.
        case overwrite
    }

    /// Whether an analyser also draws on the next frame.
    ///
    /// Frames with another holder are then copied, and `VideoFrame.mutableImage` is there.
    open var drawsOnFrames: Bool { false }

    private(set) var info: VideoInfo?
    private var converter: FormatConverter?
    private(set) var mode = ProcessingMode.modify
    private var isAccessible = true
    private var lastTime: UInt64?
    /// Frames that have come and whose turn has not, the next one first.
    var held: [GStreamer.Buffer] = []
    private(set) lazy var tracks = RegionTracks()
    let timing = Guarded(FrameTiming())

    /// Whether the source pad may have this format now; any thread may ask, at any time.
    ///
    /// After a change, `renegotiate()` makes the stream follow.
    open func canOutput(_ format: PixelFormat) -> Bool { true }

    /// What to tell when upstream and downstream have no caps in common; nil leaves it to the source.
    open var negotiationError: ElementError? { nil }

    /// Decides about the next frame, before its caps are negotiated and when those have changed; properties
    /// that a controller drives are up to date.
    open func processingMode(converting: Bool) -> ProcessingMode { .modify }

    /// Takes note of the stream's caps, before the first frame and when its images change; a change of nothing but
    /// their rate is none.
    ///
    /// A thrown error is posted and fails negotiation.
    open func capsChanged(to info: VideoInfo) throws(ElementError) {}

    /// Works on one frame, which must not be kept beyond the call.
    ///
    /// A thrown error is posted on the bus and ends the stream.
    open func process(_ frame: borrowing VideoFrame) throws(ElementError) {}

    /// How many frames after a frame are looked ahead to before its turn comes; analysers hold as many.
    open var lookahead: Int { 0 }

    /// Looks at a frame before its turn comes; only where `lookahead` is more than 0.
    ///
    /// `process` is called for the same frame later, and must not expect that this was. A thrown error is as in `process`.
    open func lookAhead(to frame: borrowing VideoFrame) throws(ElementError) {}

    /// Ends whatever waits on the streaming thread: the element is about to be stopped.
    ///
    /// Comes on another thread.
    open func interrupt() {}

    /// A tag said how the image must be turned to be upright (GStreamer's `image-orientation`).
    open func orientationChanged(to orientation: ImageOrientation) {}

    /// The first button of a pointer was pressed on the image, at a place normalised to 0...1 of what goes out.
    ///
    /// Any thread may call it, at any time.
    ///
    /// - Returns: whether that was for this element; elements upstream are then not told.
    open func pressed(at point: Point) -> Bool { false }

    /// The next frame does not follow the last: after a seek, a flush, or a loss of more than a second.
    open func discontinuity() {}
}

extension VideoElement {
    /// Lets caps be negotiated again before the next frame.
    public func renegotiate() { gst_base_transform_reconfigure_src(gstTransform) }

    var gstTransform: UnsafeMutablePointer<GstBaseTransform> {
        UnsafeMutableRawPointer(gobject).assumingMemoryBound(to: GstBaseTransform.self)
    }
}

// MARK: - What the trampolines call

extension VideoElement {
    /// Late frames are skipped before they cost an inference, when the sink says that they are late.
    func prepareBase() { gst_base_transform_set_qos_enabled(gstTransform, 1) }

    /// What to tell when upstream and downstream cannot agree any more.
    var disagreement: ElementError? {
        if let negotiationError { return negotiationError }
        guard !isAccessible else { return nil }
        return ElementError(
            .coreNegotiation,
            "Frames in this memory or format cannot be changed; put gldownload or videoconvert "
                + "before \(Self.metadata.factoryName).")
    }

    var negotiation: CapsNegotiation {
        CapsNegotiation(
            formats: Self.formats, outputs: Self.formats.filter(canOutput),
            isIdle: isIdle)
    }

    func setCaps(input: VideoInfo, output: VideoInfo) -> Bool {
        isAccessible = output.isAccessible
        guard isAccessible || isIdle else { return false }
        let isDone = reporting { () throws(ElementError) in
            // Of caps without a rate GStreamer may make caps with one.
            let (source, target) = (input.timeless, output.timeless)
            converter = source == target ? nil : try FormatConverter(from: source, to: target)
            let isSameImage = info?.timeless == target
            info = output
            // GstVideoFilter claims to work in place whenever its own frame function is not overridden.
            gst_base_transform_set_in_place(gstTransform, converter == nil ? 1 : 0)
            decideMode()
            guard !isSameImage else { return }
            log.info("images are \(output)", of: self)
            try capsChanged(to: output)
        }
        // What has failed once is tried again.
        if !isDone { info = nil }
        return isDone
    }

    /// Runs on the streaming thread, ahead of everything that the base class does with the frame: it
    /// asks more than once for each frame whether that passes through.
    func prepare(for buffer: UnsafeMutablePointer<GstBuffer>) {
        followControllers(to: buffer.pointee.pts)
        decideMode()
    }

    private func followControllers(to time: GstClockTime) {
        if let time = streamTime(of: time) { gst_object_sync_values(gstObject, GstClockTime(time)) }
    }

    private func decideMode() {
        mode = processingMode(converting: converter != nil)
        // Other frames pass or do not come at all.
        if !isAccessible, mode != .passthrough { renegotiate() }
        guard Self.base == .filter else { return }
        gst_base_transform_set_passthrough(gstTransform, mode == .passthrough && converter == nil ? 1 : 0)
    }

    /// Begins tracks whose ids no earlier frame has: the next frame is a scene by itself, with ids of its own.
    public func beginTracks() { tracks = RegionTracks() }

    func stopStream() {
        stop()
        held.removeAll()
        timing.update { $0 = FrameTiming() }
        tracks = RegionTracks()
        lastTime = nil
        info = nil
        converter = nil
        mode = .modify
        isAccessible = true
    }

    /// - Parameter isConvertedPart: whether the frame was a part of another buffer before it was converted.
    func transformInPlace(
        _ buffer: UnsafeMutablePointer<GstBuffer>, isConvertedPart: Bool = false
    ) -> GstFlowReturn {
        guard let info else { return GST_FLOW_NOT_NEGOTIATED }
        if Self.base == .filter, breaksOff(at: buffer) { discontinuity() }
        guard mode != .passthrough else { return GST_FLOW_OK }
        let access: VideoFrame.Access = Self.base == .filter || drawsOnFrames ? .readWrite : .read
        guard let frame = VideoFrame(mapping: buffer, as: info, access, isConvertedPart: isConvertedPart)
        else { return drop() }
        let done = reporting { () throws(ElementError) in try process(frame) }
        return done ? GST_FLOW_OK : GST_FLOW_ERROR
    }

    /// `transformInPlace`, timed; an analyser is timed together with what it looks ahead to.
    func transformTimed(_ buffer: UnsafeMutablePointer<GstBuffer>) -> GstFlowReturn {
        Self.base == .analyzer || mode == .passthrough
            ? transformInPlace(buffer) : measuring { transformInPlace(buffer) }
    }

    func transform(
        _ input: UnsafeMutablePointer<GstBuffer>, into output: UnsafeMutablePointer<GstBuffer>
    ) -> GstFlowReturn {
        guard let converter else { return GST_FLOW_NOT_NEGOTIATED }
        return measuring {
            if mode != .overwrite, !converter.convert(input, into: output) { return drop() }
            return transformInPlace(output, isConvertedPart: VisiblePart.isCropped(input))
        }
    }

    /// The longest loss after which frames still show the same scene, in nanoseconds.
    private static let longestLoss: UInt64 = 1_000_000_000

    /// Whether the stream breaks off before the frame that has come.
    ///
    /// Frames that are dropped on the way leave a mark, and no other scene behind it.
    func breaksOff(at buffer: UnsafeMutablePointer<GstBuffer>) -> Bool {
        let time = buffer.pointee.pts == .max ? nil : UInt64(buffer.pointee.pts)
        defer { lastTime = time }
        guard buffer.pointee.mini_object.flags & GST_BUFFER_FLAG_DISCONT.rawValue != 0 else { return false }
        if let time, let lastTime, time >= lastTime, time - lastTime <= Self.longestLoss { return false }
        if let lastTime { log.debug("the stream breaks off after \(lastTime) ns", of: self) }
        return true
    }

    /// The stream's time jumps.
    func breakStream() {
        lastTime = nil
        timing.update { $0.quality.reset() }
        discontinuity()
    }

    /// Another stream begins, of which nothing is known yet.
    func startNextStream() {
        breakStream()
        orientationChanged(to: .up)
    }

    /// Whether the frame goes no further, because it would be shown too late.
    func drops(_ buffer: UnsafeMutablePointer<GstBuffer>) -> Bool {
        info != nil && (mode != .passthrough || converter != nil) && isLate(buffer)
    }

    private func drop() -> GstFlowReturn {
        post(
            warning: ElementError(
                .streamFormat, "Dropped a video frame that is smaller than the negotiated caps require.",
                debug: "the buffer is too small for the planes of the negotiated format"))
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
