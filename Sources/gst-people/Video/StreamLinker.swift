import CommandKit
import GStreamerKit
import Synchronization

/// Connects the streams of the input as they appear.
///
/// GStreamer calls it from its own threads; its state is protected by a lock.
final class StreamLinker: Sendable {
    private struct State {
        var hasVideo = false
        var duration: UInt64?
        var problem: ToolError?
        var notes: [String] = []
    }

    private let job: Job
    private let pipeline: GStreamer.Pipeline
    /// What takes the audio; nil where there is none in the output.
    let muxer: Muxer?
    let range: StreamRange
    /// What composes frames; nil when the video of the output comes from elsewhere.
    private let video: VideoChain?
    /// Whether streams besides the video are left alone.
    private let isVideoOnly: Bool
    private let state = Mutex(State())
    /// Frames that were composed.
    private let composed = Progress()
    /// Audio for which the input has no times.
    private let untimed = UntimedPackets()
    /// Packets of all streams of the input.
    private let read = Progress()

    /// Links all streams of a whole video or image.
    ///
    /// - Parameter video: what composes frames; nil when that comes from elsewhere.
    init(_ pipeline: GStreamer.Pipeline, _ job: Job, video: VideoChain?) throws(ToolError) {
        (self.pipeline, self.job, self.video) = (pipeline, job, video)
        isVideoOnly = false
        range = StreamRange(job.range)
        muxer = if case .video(let container) = job.format { try Muxer(container, in: pipeline) } else { nil }
        muxer?.setRecorded(KeptMetadata(job).recorded)
        video?.count(in: composed)
    }

    /// Links the frames of a part of a video, whose times stay those of the whole.
    init(_ pipeline: GStreamer.Pipeline, _ job: Job, video: VideoChain, segment: VideoRange) {
        (self.pipeline, self.job, self.video) = (pipeline, job, video)
        isVideoOnly = true
        range = StreamRange(segment, origin: job.range.start)
        muxer = nil
        video.count(in: composed)
    }

    /// Connects what `decoder`, a decodebin, gives.
    func watch(_ decoder: GStreamer.Element) {
        if let caps = StreamRoute.decoderCaps(for: muxer?.element) { decoder.set("caps", to: caps) }
        if video == nil { decodeNothing("video/", in: decoder) }
        if isVideoOnly { decodeNothing("audio/", in: decoder) }
        decoder.onPadAdded { [weak self] pad in
            self?.attempt { streams throws(ToolError) in try streams.connect(pad) }
        }
        decoder.onNoMorePads { [weak self] in
            self?.attempt { streams throws(ToolError) in try streams.checkVideo() }
            self?.pipeline.wakeMainThread()
        }
    }

    /// Leaves streams of a kind as they are in the file.
    private func decodeNothing(_ kind: String, in decoder: GStreamer.Element) {
        decoder.onAutoplug { caps in
            let type = caps.mediaType
            return !type.hasPrefix(kind) || FrameIndex.containers.contains(type)
        }
    }

    // MARK: - Results

    /// Why the work cannot go on.
    var problem: ToolError? { state.withLock { $0.problem } }

    /// What was changed or left out besides the background, for the user.
    var notes: [String] {
        let lost = untimed.lostSeconds
        let audio = "left out: \(lost.text(decimals: 2)) seconds of audio from before the file's clock begins"
        return state.withLock { $0.notes } + (lost > 0 ? [audio] : [])
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

    // MARK: - Links

    /// Packets wait here for the frames that they belong to, however the input interleaves them.
    private let queue = "queue max-size-buffers=0 max-size-bytes=0 max-size-time=0"

    private func connect(_ pad: GStreamer.Pad) throws(ToolError) {
        // A stream that ends before its first frame has no caps.
        guard let caps = pad.currentCaps else { return }
        let route = StreamRoute(caps: caps, muxer: muxer, hasVideo: state.withLock { $0.hasVideo })
        if isVideoOnly, route != .compose { return }
        if route == .compose { FrameDurations.install(on: pad) }
        range.hold(pad)
        // A subtitle may outlast the video.
        if !route.isSubtitle { read.count(pad) }
        switch route {
        case .compose: try compose(pad, caps)
        case .passThrough(let parser):
            try connect(pad, to: pipeline.add(chain: parser.map { "\($0) ! \(queue)" } ?? queue))
        case .encode: try encode(pad, caps)
        case .subtitle(let parser): try connectSubtitles(pad, caps, parser)
        case .drop: try drop(pad)
        }
    }

    private func compose(_ pad: GStreamer.Pad, _ caps: GStreamer.Caps) throws(ToolError) {
        guard let video else { return }
        let duration = pad.streamDuration
        let length = duration.map(job.range.length)
        if let duration, length == 0 {
            throw ToolError(
                .input, "\(job.input) ends at \((Double(duration) / 1e9).clockTime), before --start.")
        }
        let notes = try video.connect(pad, caps)
        state.withLock { state in
            state.hasVideo = true
            state.duration = length
            state.notes += notes
        }
    }

    private func encode(_ pad: GStreamer.Pad, _ caps: GStreamer.Caps) throws(ToolError) {
        guard let container = muxer?.container else { return }
        let (encoder, chain) = try audioEncoder(container)
        let rate = caps.fields?.int("rate") ?? 0
        try connect(pad, to: chain, early: rate > 0 ? Double(encoder.delay) / Double(rate) : 0)
    }

    /// The best encoder that is installed.
    private func audioEncoder(_ container: Container) throws(ToolError) -> (AudioEncoder, GStreamer.Element) {
        var first: ToolError?
        for encoder in container.audioEncoders {
            do {
                let description = "audioconvert ! audioresample ! \(encoder.chain) ! \(queue)"
                return (encoder, try pipeline.add(chain: description))
            } catch { first = first ?? error }
        }
        throw first ?? ToolError(.failed, "No audio encoder is installed for \(container.rawValue).")
    }

    /// Sends audio to the muxer.
    ///
    /// - Parameter early: seconds to move it ahead; what falls before the start is left out.
    private func connect(
        _ pad: GStreamer.Pad, to chain: GStreamer.Element, early: Double = 0
    ) throws(ToolError) {
        guard let muxer, let end = chain.pad("src") else {
            throw ToolError(.failed, "The audio has no output.")
        }
        untimed.install(on: end)
        end.setOffset(-Int64(early * 1e9))
        guard chain.link("src", to: muxer.element, "audio_%u") else {
            throw ToolError(.failed, "GStreamer could not link the audio to the output.")
        }
        try link(pad, chain)
        chain.syncStateWithParent()
    }

    private func connectSubtitles(
        _ pad: GStreamer.Pad, _ caps: GStreamer.Caps, _ parser: String?
    ) throws(ToolError) {
        guard let muxer else { return }
        let isText = parser != nil || caps.mediaType == "text/x-raw"
        let plain = isText ? "identity name=plain ! capssetter caps=text/x-raw,format=(string)utf8" : nil
        let chain = try pipeline.add(
            chain: [parser, plain, queue].compactMap { $0 }.joined(separator: " ! "))
        if let sink = chain.element(named: "plain")?.pad("sink") {
            SubtitleText.install(on: sink, keepsTags: muxer.container == .mkv)
        }
        guard chain.link("src", to: muxer.element, "subtitle_%u") else {
            throw ToolError(.failed, "GStreamer could not link the subtitles to the output.")
        }
        try link(pad, chain)
        chain.syncStateWithParent()
    }

    private func drop(_ pad: GStreamer.Pad) throws(ToolError) {
        let sink = try pipeline.add("fakesink")
        sink.set("async", parsing: "false")
        try link(pad, sink)
        sink.syncStateWithParent()
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
            pipeline.wakeMainThread()
        }
    }
}
