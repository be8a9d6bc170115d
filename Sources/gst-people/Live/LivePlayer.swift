import CGStreamer
import CommandKit
import Glibc

/// Plays source, people, background and sink until the end, and shows the speed.
final class LivePlayer {
    let graph: Graph
    let chain: Element
    let meter: LiveMeter
    /// To a camera in PipeWire.
    var feed: CameraFeed?
    /// Whether the source begins anew at its end.
    private let repeats: Bool
    /// The stream behind the people, if there is one: its elements are below that called `stream`.
    private let stream: String?
    private let bus: UnsafeMutablePointer<GstBus>
    private var missingDecoder: String?
    private var last = LiveMeter.Reading()
    private var hasShownMode = false

    /// - Parameters:
    ///   - elements: what follows `blendmask`, as a pipeline description; frames are measured where they leave the element
    ///     called `out`.
    ///   - stream: for messages.
    init(
        _ options: LiveOptions, _ compositing: Compositing, then elements: String, stream: String? = nil
    ) throws(ToolError) {
        let source = try LiveSource(options)
        let mirror = options.isMirrored ? "videoflip video-direction=horiz ! " : ""
        graph = try Graph()
        chain = try graph.add(
            chain:
                "\(source.elements) ! \(mirror)\(compositing.analysis) ! blendmask name=blendmask ! \(elements)",
            hasEnds: false)
        graph.useSystemClock()
        self.stream = stream
        repeats = source.isClip && options.sink == nil
        guard let bus = gst_element_get_bus(graph.pipeline),
            let pad = withElement("out", in: chain, { gst_element_get_static_pad($0, "src") }) ?? nil
        else { throw ToolError(.failed, "GStreamer could not make the pipeline.") }
        self.bus = bus
        // The pipeline keeps it alive.
        gst_object_unref(pad)
        meter = LiveMeter(graph.pipeline, pad)
        _ = withElement("personsegment", in: chain) { set($0, "quality", options.quality) }
        compositing.apply(to: chain)
    }

    deinit {
        gst_element_set_state(graph.pipeline, GST_STATE_NULL)
        gst_object_unref(bus)
    }

    /// Plays until the end, or until Control-C.
    ///
    /// - Returns: the program's exit status.
    func run() throws(ToolError) -> Int32 {
        gst_element_set_state(graph.pipeline, GST_STATE_PLAYING)
        defer { gst_element_set_state(graph.pipeline, GST_STATE_NULL) }
        while try !hasEnded() {
            if let signal = Signals.pending() {
                guard signal == SIGINT else { throw ToolError(interruptedBy: signal) }
                break
            }
            try report()
        }
        try showMode()
        let frames = "\(meter.now.frames) frames, \(meter.now.speed(since: meter.first))"
        try printText((Terminal.isOutput ? "\n" : "") + frames + "\n")
        return ExitCode.success.rawValue
    }

    // MARK: - Messages

    /// Handles the messages of a tenth of a second; true at the end.
    private func hasEnded() throws(ToolError) -> Bool {
        let kinds =
            GST_MESSAGE_ERROR.rawValue | GST_MESSAGE_EOS.rawValue | GST_MESSAGE_LATENCY.rawValue
            | GST_MESSAGE_ELEMENT.rawValue
        guard
            let message = gst_bus_timed_pop_filtered(
                bus, RunningPipeline.tenth, GstMessageType(rawValue: kinds))
        else {
            return false
        }
        defer { gst_message_unref(message) }
        switch people_message_type(message) {
        case GST_MESSAGE_LATENCY:
            gst_bin_recalculate_latency(
                UnsafeMutableRawPointer(graph.pipeline).assumingMemoryBound(to: GstBin.self))
        case GST_MESSAGE_ELEMENT: missingDecoder = missingDecoder ?? MissingDecoder.description(message)
        case GST_MESSAGE_EOS:
            guard repeats else { return true }
            gst_element_seek_simple(graph.pipeline, GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH, 0)
        default:
            if isClosedWindow(message) { return true }
            if VirtualCamera.hasLostReader(PipelineError(message)) { return false }
            throw explanation(message)
        }
        return false
    }

    /// How video sinks tell that their window was closed.
    private func isClosedWindow(_ message: UnsafeMutablePointer<GstMessage>) -> Bool {
        guard meter.now.frames > 0, let source = message.pointee.src else { return false }
        let instance = UnsafeMutableRawPointer(source).assumingMemoryBound(to: GTypeInstance.self)
        return PipelineError(message).isResource(GST_RESOURCE_ERROR_NOT_FOUND)
            && g_type_check_instance_is_a(instance, gst_video_sink_get_type()) != 0
    }

    private func explanation(_ message: UnsafeMutablePointer<GstMessage>) -> ToolError {
        if let stream, isFromStream(message) {
            if let missingDecoder { return ToolError(.missing, "\(stream): \(missingDecoder)") }
            return ToolError(.input, "\(stream) cannot be read: \(PipelineError(message).reason)")
        }
        return ToolError(liveError: PipelineError(message))
    }

    private func isFromStream(_ message: UnsafeMutablePointer<GstMessage>) -> Bool {
        withElement("stream", in: chain) { stream in
            let ancestor = UnsafeMutableRawPointer(stream).assumingMemoryBound(to: GstObject.self)
            return message.pointee.src == ancestor
                || gst_object_has_as_ancestor(message.pointee.src, ancestor) != 0
        } ?? false
    }

    // MARK: - Speed

    /// A line that is rewritten every second on a terminal, or a line every ten seconds.
    private func report() throws(ToolError) {
        try showMode()
        try feed?.check()
        let now = meter.now
        guard now.time - last.time >= (Terminal.isOutput ? 1 : 10) else { return }
        try printText(now.speed(since: last) + (Terminal.isOutput ? "  \r" : "\n"))
        last = now
    }

    private func showMode() throws(ToolError) {
        guard !hasShownMode, let mode = meter.mode else { return }
        hasShownMode = true
        try printText("output: \(mode.summary)\n")
    }
}

/// Where pictures are shown.
func screen(_ options: LiveOptions) throws(ToolError) -> String {
    if let sink = options.sink { return sink }
    guard getenv("DISPLAY") != nil || getenv("WAYLAND_DISPLAY") != nil else {
        throw ToolError(.input, "no screen: neither DISPLAY nor WAYLAND_DISPLAY is set")
    }
    return "autovideosink sync=false"
}
