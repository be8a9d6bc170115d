import CGStreamer
public import Imaging

/// A video element with one input and one output that works on the buffer it is given.
///
/// Frames smaller than their caps require are dropped with a warning, so `process` gets valid frames only.
/// Results are attached to the frame as metas.
open class VideoElement: Element {
    /// The GStreamer class to derive from.
    public enum Base: Sendable {
        /// `GstBaseTransform`: reads frames and attaches metas; shared memory stays shared.
        case analyzer
        /// `GstVideoFilter`: changes pixels in place.
        case filter
    }

    /// The GStreamer class to derive from; also decides whether frames are mapped for writing.
    open class var base: Base { .analyzer }

    /// The formats of both pads' caps.
    open class var formats: [PixelFormat] { PixelFormat.allCases }

    /// Whether the source pad also offers formats other than the input's; such frames are converted before
    /// `process`.
    open class var changesFormat: Bool { false }

    /// Whether the source pad also offers sizes other than the input's: `render` then makes the frames.
    ///
    /// Only for `Base.filter`. Metadata about the image is left to `render`.
    open class var changesSize: Bool { false }

    /// Whether `isIdle` can become true.
    open class var mayBeIdle: Bool { false }

    /// Whether all frames pass unchanged for now (`ProcessingMode.passthrough`), so that they may be in any
    /// memory; called on any thread, at any time.
    open var isIdle: Bool { false }

    /// The kinds of metadata that the element attaches to every frame.
    open class var attachedMetas: [CustomMeta] { [] }

    /// The treatment of a frame.
    public enum ProcessingMode: Sendable {
        /// The frame passes; unless its format changes, it is neither mapped nor copied.
        case passthrough
        /// `process` reads and changes the frame.
        case modify
        /// `process` writes the whole frame without reading it; a frame whose format changes is not converted
        /// first.
        case overwrite
    }

    /// Whether an analyser also draws on the next frame.
    ///
    /// Frames with other owners are then copied, and `VideoFrame.mutableImage` is available.
    open var drawsOnFrames: Bool { false }

    private(set) var info: VideoInfo?
    /// The input, which has another size than `info` if the element changes sizes.
    private var input: VideoInfo?
    private var converter: FormatConverter?
    private(set) var mode = ProcessingMode.modify
    private var isAccessible = true
    private var lastTime: UInt64?
    /// Frames held back for lookahead, oldest first.
    var queuedFrames: [GStreamer.Buffer] = []
    private(set) lazy var tracks = RegionTracks()
    let timing = Guarded(FrameTiming())
    /// The bin that offers the element's properties as its own.
    weak var bin: BinElement?

    /// Whether the source pad may have this format now; called on any thread, at any time.
    ///
    /// After a change, `renegotiate()` makes the stream follow.
    open func canOutput(_ format: PixelFormat) -> Bool { true }

    /// The error to post when upstream and downstream have no caps in common; nil leaves the error to the
    /// source.
    open var negotiationError: ElementError? { nil }

    /// Decides about the next frame, before its caps are negotiated and after they have changed; controlled
    /// properties and `SettingsBox.current` are up to date.
    open func processingMode(converting: Bool) -> ProcessingMode { .modify }

    /// Prepares for the stream's caps, before the first frame and when the images change; not called when
    /// only the frame rate changes.
    ///
    /// A thrown error is posted and fails negotiation.
    open func capsChanged(to info: VideoInfo) throws(ElementError) {}

    /// Processes one frame, which must not be kept beyond the call.
    ///
    /// A thrown error is posted on the bus and ends the stream.
    open func process(_ frame: borrowing VideoFrame) throws(ElementError) {}

    /// Returns the size of the output, in pixels, for an input; nil to leave it to downstream.
    ///
    /// Called on any thread.
    open func outputSize(for input: VideoInfo) -> (width: Int, height: Int)? { nil }

    /// Prepares an element that changes sizes for the stream's caps; `capsChanged(to:)` is called next, if at all.
    open func sizesChanged(from input: VideoInfo, to output: VideoInfo) {}

    /// Looks at the next frame of an element that changes sizes, before its `processingMode` is asked for.
    open func examine(_ frame: borrowing VideoFrame) throws(ElementError) {}

    /// Draws a frame of the output, and attaches the metadata about its image.
    ///
    /// A thrown error is treated as in `process`.
    open func render(
        _ frame: borrowing VideoFrame, into output: borrowing VideoFrame
    ) throws(ElementError) {}

    /// Number of frames of lookahead: an analyser holds a frame back until so many more have come.
    open var lookahead: Int { 0 }

    /// Looks at a frame before `process` gets it; called only if `lookahead` is more than 0.
    ///
    /// `process` must not rely on this call for the same frame. A thrown error is treated as in `process`.
    open func lookAhead(to frame: borrowing VideoFrame) throws(ElementError) {}

    /// Ends all waits of the streaming thread, because the element is about to be stopped.
    ///
    /// Called on another thread.
    open func interrupt() {}

    /// Handles a tag with the turn that makes the image upright (GStreamer's `image-orientation`).
    open func orientationChanged(to orientation: ImageOrientation) {}

    /// Handles a press of a pointer's first button on the image, at a position normalised to 0...1 of the
    /// output.
    ///
    /// Called on any thread, at any time.
    ///
    /// - Returns: whether the element handled the press; elements upstream then do not get it.
    open func pressed(at point: Point) -> Bool { false }

    /// Returns the place in the input that is seen at a place in the output, both normalised to 0...1; called on any thread.
    open func inputPoint(of point: Point) -> Point { point }

    /// Handles a frame that does not follow the last one: after a seek, a flush, or a loss of more than a
    /// second.
    open func discontinuity() {}

    // MARK: - GObject

    override class var parentType: GType { base.gtype }

    override class var padCaps: (sink: String, source: String) {
        let own = videoCaps(formats: formats)
        let caps = mayBeIdle ? "\(own); \(anyVideoCaps)" : own
        return (caps, caps)
    }

    override class func installMethods(on klass: UnsafeMutableRawPointer) {
        installVideoMethods(on: klass, of: self)
    }

    /// Enables GStreamer's quality of service: frames that the sink reports as late are skipped before an
    /// inference.
    override func prepare() { gst_base_transform_set_qos_enabled(gstTransform, 1) }
}

extension VideoElement {
    /// Has caps negotiated again before the next frame.
    public func renegotiate() { gst_base_transform_reconfigure_src(gstTransform) }

    var gstTransform: UnsafeMutablePointer<GstBaseTransform> {
        UnsafeMutableRawPointer(gobject).assumingMemoryBound(to: GstBaseTransform.self)
    }
}

// MARK: - Calls of the trampolines

extension VideoElement {
    /// The error to post when upstream and downstream cannot agree any more.
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

    var sizeNegotiation: SizeNegotiation {
        SizeNegotiation(formats: Self.formats) { self.outputSize(for: $0) }
    }

    func setCaps(input: VideoInfo, output: VideoInfo) -> Bool {
        isAccessible = output.isAccessible
        guard isAccessible || isIdle else { return false }
        let isDone = reporting { () throws(ElementError) in
            // For caps without a rate, GStreamer may choose caps with one.
            let (source, target) = (input.timeless, output.timeless)
            converter =
                source == target || Self.changesSize ? nil : try FormatConverter(from: source, to: target)
            let isSameImage = info?.timeless == target && self.input?.timeless == source
            (self.input, info) = (input, output)
            // GstVideoFilter claims to work in place whenever its own frame function is not overridden.
            gst_base_transform_set_in_place(gstTransform, converter == nil && !Self.changesSize ? 1 : 0)
            if !isSameImage { sizesChanged(from: input, to: output) }
            decideMode()
            guard !isSameImage else { return }
            log.info("images are \(output)", of: self)
            try capsChanged(to: output)
        }
        // Caps that failed once are tried again.
        if !isDone { (self.input, info) = (nil, nil) }
        return isDone
    }

    /// Updates properties, settings and mode for the next frame, on the streaming thread.
    ///
    /// Called before the base class handles the frame, since it asks several times for each frame whether the
    /// frame passes through. With lookahead the frame that is processed then is an earlier one.
    func prepare(for buffer: UnsafeMutablePointer<GstBuffer>) {
        followControllers(to: buffer.pointee.pts)
        if Self.changesSize { examine(buffer) }
        decideMode()
    }

    private func examine(_ buffer: UnsafeMutablePointer<GstBuffer>) {
        renewSettings()
        if breaksOff(at: buffer) { discontinuity() }
        // A frame that cannot be mapped is reported when it is drawn.
        guard let input, let frame = VideoFrame(mapping: buffer, as: input, .read) else { return }
        _ = reporting { () throws(ElementError) in try examine(frame) }
    }

    /// Copies the settings, if they have changed, for what the streaming thread does next.
    func renewSettings() { settingsStore.access.renew() }

    private func followControllers(to time: GstClockTime) {
        guard let time = streamTime(of: time) else { return }
        // The bin's controllers come first: a program may control a property of one element in it by itself.
        if let bin { gst_object_sync_values(bin.gstObject, GstClockTime(time)) }
        gst_object_sync_values(gstObject, GstClockTime(time))
    }

    private func decideMode() {
        renewSettings()
        mode = processingMode(converting: converter != nil)
        // Other frames pass, or do not come at all.
        if !isAccessible, mode != .passthrough { renegotiate() }
        guard Self.base == .filter else { return }
        let passes = mode == .passthrough && !convertsFrames
        // Without this no pool of buffers would be agreed on.
        if Self.changesSize, !passes, gst_base_transform_is_passthrough(gstTransform) != 0 { renegotiate() }
        gst_base_transform_set_passthrough(gstTransform, passes ? 1 : 0)
    }

    /// Whether the output's format or size differs from the input's.
    private var convertsFrames: Bool { converter != nil || input?.timeless != info?.timeless }

    /// Begins tracks with ids that no earlier frame has: the next frame is a scene by itself.
    public func beginTracks() { tracks = RegionTracks() }

    func stopStream() {
        stop()
        settingsStore.access.setStreaming(false)
        queuedFrames.removeAll()
        timing.update { $0 = FrameTiming() }
        tracks = RegionTracks()
        lastTime = nil
        (input, info) = (nil, nil)
        converter = nil
        mode = .modify
        isAccessible = true
    }

    /// Processes a frame in place.
    ///
    /// - Parameter isConvertedPart: whether the frame was a part of another buffer before its conversion.
    func transformInPlace(
        _ buffer: UnsafeMutablePointer<GstBuffer>, isConvertedPart: Bool = false
    ) -> GstFlowReturn {
        guard let info else { return GST_FLOW_NOT_NEGOTIATED }
        if Self.base == .filter, !Self.changesSize, breaksOff(at: buffer) { discontinuity() }
        guard mode != .passthrough else { return GST_FLOW_OK }
        let access: VideoFrame.Access = Self.base == .filter || drawsOnFrames ? .readWrite : .read
        guard let frame = VideoFrame(mapping: buffer, as: info, access, isConvertedPart: isConvertedPart)
        else { return drop() }
        let done = reporting { () throws(ElementError) in try process(frame) }
        return done ? GST_FLOW_OK : GST_FLOW_ERROR
    }

    /// Calls `transformInPlace` and measures its time; an analyser is measured together with its lookahead.
    func transformTimed(_ buffer: UnsafeMutablePointer<GstBuffer>) -> GstFlowReturn {
        Self.base == .analyzer || mode == .passthrough
            ? transformInPlace(buffer) : measuring { transformInPlace(buffer) }
    }

    func transform(
        _ input: UnsafeMutablePointer<GstBuffer>, into output: UnsafeMutablePointer<GstBuffer>
    ) -> GstFlowReturn {
        if Self.changesSize { return measuring { render(input, into: output) } }
        guard let converter else { return GST_FLOW_NOT_NEGOTIATED }
        return measuring {
            if mode != .overwrite, !converter.convert(input, into: output) { return drop() }
            return transformInPlace(output, isConvertedPart: VisiblePart.isCropped(input))
        }
    }

    private func render(
        _ buffer: UnsafeMutablePointer<GstBuffer>, into output: UnsafeMutablePointer<GstBuffer>
    ) -> GstFlowReturn {
        guard let input, let info else { return GST_FLOW_NOT_NEGOTIATED }
        guard let frame = VideoFrame(mapping: buffer, as: input, .read) else { return drop() }
        guard let target = VideoFrame(mapping: output, as: info, .readWrite) else { return GST_FLOW_ERROR }
        let done = reporting { () throws(ElementError) in try render(frame, into: target) }
        return done ? GST_FLOW_OK : GST_FLOW_ERROR
    }

    /// Longest loss of frames within one scene, in nanoseconds.
    private static let longestLoss: UInt64 = 1_000_000_000

    /// Whether the stream breaks off before the new frame.
    ///
    /// Frames that are dropped on the way leave a discontinuity mark, although the scene is the same.
    func breaksOff(at buffer: UnsafeMutablePointer<GstBuffer>) -> Bool {
        let time = buffer.pointee.pts == .max ? nil : UInt64(buffer.pointee.pts)
        defer { lastTime = time }
        guard buffer.pointee.mini_object.flags & GST_BUFFER_FLAG_DISCONT.rawValue != 0 else { return false }
        if let time, let lastTime, time >= lastTime, time - lastTime <= Self.longestLoss { return false }
        if let lastTime { log.debug("the stream breaks off after \(lastTime) ns", of: self) }
        return true
    }

    /// Handles a jump of the stream's time.
    func breakStream() {
        lastTime = nil
        timing.update { $0.quality.reset() }
        discontinuity()
    }

    /// Handles the start of another stream, of which nothing is known yet.
    func startNextStream() {
        breakStream()
        orientationChanged(to: .up)
    }

    /// Whether the frame is dropped because it would be shown too late.
    func drops(_ buffer: UnsafeMutablePointer<GstBuffer>) -> Bool {
        info != nil && (mode != .passthrough || convertsFrames) && isLate(buffer)
    }

    private func drop() -> GstFlowReturn {
        post(
            warning: ElementError(
                .streamFormat, "Dropped a video frame that is smaller than the negotiated caps require.",
                debug: "the buffer is too small for the planes of the negotiated format"))
        return people_flow_dropped
    }

    /// Runs `body` and posts its error; returns whether it succeeded.
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
