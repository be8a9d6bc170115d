import CGStreamer
import CommandKit
import Synchronization

/// Connects the streams of the input as they appear.
///
/// GStreamer calls it from its own threads; its state is protected by a lock.
final class StreamLinker: @unchecked Sendable {
    private struct State {
        var hasVideo = false
        var duration: UInt64?
        var problem: ToolError?
        var notes: [String] = []
    }

    private let job: Job
    private let graph: Graph
    /// What takes the sound; nil where there is none in the output.
    let muxer: Muxer?
    let range: StreamRange
    /// What composes frames; nil when the picture of the output comes from elsewhere.
    private let video: VideoChain?
    /// Whether streams besides the picture are left alone.
    private let isPictureOnly: Bool
    private let state = Mutex(State())
    /// Frames that were composed.
    private let composed = Progress()
    /// Sound for which the input has no times.
    private let untimed = UntimedPackets()
    /// Packets of all streams of the input.
    private let read = Progress()

    /// Links all streams of a whole film or picture.
    ///
    /// - Parameter video: what composes frames; nil when the picture comes from elsewhere.
    init(graph: Graph, job: Job, video: VideoChain?) throws(ToolError) {
        (self.graph, self.job, self.video) = (graph, job, video)
        isPictureOnly = false
        range = StreamRange(job.range)
        muxer = if case .video(let container) = job.format { try Muxer(container, in: graph) } else { nil }
        muxer?.setRecorded(KeptMetadata(job).recorded)
        video?.count(in: composed)
    }

    /// Links the picture of a part of a film, whose times stay those of the whole.
    init(graph: Graph, job: Job, video: VideoChain, segment: FilmRange) {
        (self.graph, self.job, self.video) = (graph, job, video)
        isPictureOnly = true
        range = StreamRange(segment, origin: job.range.start)
        muxer = nil
        video.count(in: composed)
    }

    /// Connects what `decoder`, a decodebin, gives.
    func watch(_ decoder: Element) {
        set(decoder, "caps", StreamRoute.decoderCaps(for: muxer?.element))
        if video == nil { decodeNothing("video/", in: decoder) }
        if isPictureOnly { decodeNothing("audio/", in: decoder) }
        onPadAdded(decoder) { [weak self] pad in
            self?.attempt { streams throws(ToolError) in try streams.connect(pad) }
        }
        onNoMorePads(decoder) { [weak self] in
            self?.attempt { streams throws(ToolError) in try streams.checkVideo() }
            self?.graph.wakeMainThread()
        }
    }

    /// Leaves streams of a kind as they are in the file.
    private func decodeNothing(_ kind: String, in decoder: Element) {
        onAutoplug(decoder) { caps in
            let type = mediaType(of: caps)
            return !type.hasPrefix(kind) || PictureIndex.containers.contains(type)
        }
    }

    // MARK: - Results

    /// Why the work cannot go on.
    var problem: ToolError? { state.withLock { $0.problem } }

    /// What was changed or left out besides the background, for the user.
    var notes: [String] {
        let lost = untimed.lostSeconds
        let sound = "left out: \(lost.text(decimals: 2)) seconds of audio from before the file's clock begins"
        return state.withLock { $0.notes } + (lost > 0 ? [sound] : [])
    }

    /// The progress until now.
    var progress: ProgressSnapshot { composed.snapshot(total: state.withLock { $0.duration }) }

    /// What was made, at the end of the stream.
    func outcome() throws(ToolError) -> Outcome {
        if let problem { throw problem }
        let (progress, state) = (progress, state.withLock { $0 })
        guard progress.frames > 0 else { throw ToolError(.input, "\(job.input) contains no image.") }
        try checkLength(state.duration)
        return Outcome(progress: progress, notes: notes)
    }

    /// Throws when the input ends long before it should: a copy or download that was cut short.
    private func checkLength(_ expected: UInt64?) throws(ToolError) {
        guard let expected, case .video = job.format else { return }
        try job.checkLength(expected: Double(expected) / 1e9, found: read.snapshot(total: nil).mediaSeconds)
    }

    // MARK: - StreamLinker

    /// Packets wait here for the frames that they belong to, however the input interleaves them.
    private let queue = "queue max-size-buffers=0 max-size-bytes=0 max-size-time=0"

    private func connect(_ pad: Pad) throws(ToolError) {
        // A stream that ends before its first frame has no caps.
        guard let caps = gst_pad_get_current_caps(pad) else { return }
        defer { gst_caps_unref(caps) }
        let route = StreamRoute(caps: caps, muxer: muxer, hasVideo: state.withLock { $0.hasVideo })
        if isPictureOnly, route != .compose { return }
        if route == .compose { FrameDurations.install(on: pad) }
        range.hold(pad)
        // A subtitle may outlast the film.
        if !route.isSubtitle { read.count(pad) }
        switch route {
        case .compose: try compose(pad, caps)
        case .passThrough(let parser):
            try connect(pad, to: graph.add(chain: parser.map { "\($0) ! \(queue)" } ?? queue))
        case .encode: try encode(pad, caps)
        case .subtitle(let parser): try connectSubtitles(pad, caps, parser)
        case .drop: try drop(pad)
        }
    }

    private func compose(_ pad: Pad, _ caps: Caps) throws(ToolError) {
        guard let video else { return }
        var duration: gint64 = 0
        let known = gst_pad_query_duration(pad, GST_FORMAT_TIME, &duration) != 0 && duration > 0
        let length = job.range.length(of: UInt64(max(0, duration)))
        if known, length == 0 {
            throw ToolError(
                .input, "\(job.input) ends at \((Double(duration) / 1e9).clockTime), before --start.")
        }
        let notes = try video.connect(pad, caps)
        state.withLock { state in
            state.hasVideo = true
            state.duration = known ? length : nil
            state.notes += notes
        }
    }

    private func encode(_ pad: Pad, _ caps: Caps) throws(ToolError) {
        guard let container = muxer?.container else { return }
        let (encoder, chain) = try soundEncoder(container)
        var rate: gint = 0
        gst_structure_get_int(gst_caps_get_structure(caps, 0), "rate", &rate)
        try connect(pad, to: chain, early: rate > 0 ? Double(encoder.delay) / Double(rate) : 0)
    }

    /// The best encoder that is installed.
    private func soundEncoder(_ container: Container) throws(ToolError) -> (SoundEncoder, Element) {
        var first: ToolError?
        for encoder in container.soundEncoders {
            do {
                let description = "audioconvert ! audioresample ! \(encoder.chain) ! \(queue)"
                return (encoder, try graph.add(chain: description))
            } catch { first = first ?? error }
        }
        throw first ?? ToolError(.failed, "No audio encoder is installed for \(container.rawValue).")
    }

    /// Sends sound to the muxer.
    ///
    /// - Parameter early: seconds to move it ahead; what falls before the start is left out.
    private func connect(_ pad: Pad, to chain: Element, early: Double = 0) throws(ToolError) {
        guard let muxer, let end = gst_element_get_static_pad(chain, "src") else {
            throw ToolError(.failed, "The audio has no output.")
        }
        defer { gst_object_unref(end) }
        untimed.install(on: end)
        gst_pad_set_offset(end, -gint64(early * 1e9))
        guard gst_element_link_pads(chain, "src", muxer.element, "audio_%u") != 0 else {
            throw ToolError(.failed, "GStreamer could not link the audio to the output.")
        }
        try link(pad, chain)
        gst_element_sync_state_with_parent(chain)
    }

    private func connectSubtitles(_ pad: Pad, _ caps: Caps, _ parser: String?) throws(ToolError) {
        guard let muxer else { return }
        let isText = parser != nil || mediaType(of: caps) == "text/x-raw"
        let plain = isText ? "identity name=plain ! capssetter caps=text/x-raw,format=(string)utf8" : nil
        let chain = try graph.add(chain: [parser, plain, queue].compactMap { $0 }.joined(separator: " ! "))
        _ = withElement("plain", in: chain) { element in
            guard let sink = gst_element_get_static_pad(element, "sink") else { return }
            SubtitleText.install(on: sink, keepsTags: muxer.container == .mkv)
            gst_object_unref(sink)
        }
        guard gst_element_link_pads(chain, "src", muxer.element, "subtitle_%u") != 0 else {
            throw ToolError(.failed, "GStreamer could not link the subtitles to the output.")
        }
        try link(pad, chain)
        gst_element_sync_state_with_parent(chain)
    }

    private func drop(_ pad: Pad) throws(ToolError) {
        let sink = try graph.add("fakesink")
        set(sink, "async", "false")
        try link(pad, sink)
        gst_element_sync_state_with_parent(sink)
    }

    private func checkVideo() throws(ToolError) {
        guard video != nil else { return }
        guard state.withLock({ $0.hasVideo }) else {
            throw ToolError(.input, "\(job.input) holds no video.")
        }
    }

    /// Does a part of the work on one of GStreamer's threads; a failure wakes the main thread.
    private func attempt(_ body: (StreamLinker) throws(ToolError) -> Void) {
        do throws(ToolError) { try body(self) } catch {
            state.withLock { $0.problem = $0.problem ?? error }
            graph.wakeMainThread()
        }
    }
}
