import CommandKit
import GStreamerKit
import MediaFiles
import Synchronization
import Threads

/// Decodes, composes and encodes frames of a video: one thread each for reading, composing and writing.
final class PictureWork: Sendable {
    private struct State {
        var problem: ToolError?
        var diagnostics = Diagnostics()
    }

    /// Starts the encoder once the first frame is there.
    typealias MakeEncoder = @Sendable (_ track: NUTTrack, _ first: Int) throws(ToolError) -> FrameEncoder

    private let job: Job
    private let input: VideoInput
    private let selection: FrameSelection
    private let picture: PicturePipeline
    private let state = Mutex(State())
    private let frames = Mutex<SelectedFrames?>(nil)
    private let encoder = Mutex<FrameEncoder?>(nil)
    private let threads = Mutex<[BackgroundThread]>([])
    private let makeEncoder: MakeEncoder
    private let composed = Progress()
    /// The frames as they are written.
    private let outputFormat: PictureFormat
    private let format: PictureFormat
    private let start: UInt64

    /// - Parameters:
    ///   - start: time at whose key frame decoding begins, in nanoseconds of the file.
    ///   - makeEncoder: is called on a thread of this work.
    init(
        _ plan: VideoPlan, _ selection: FrameSelection, from start: UInt64,
        _ makeEncoder: @escaping MakeEncoder
    ) throws(ToolError) {
        (job, input, format, self.selection) = (plan.job, plan.input, plan.format, selection)
        (self.start, self.makeEncoder) = (start, makeEncoder)
        outputFormat = plan.format.framed(plan.framed)
        picture = try PicturePipeline(job, format, plan.framed)
        if selection.warmUp < selection.first { picture.leaveOut(before: selection.first) }
    }

    /// The pipeline, for `RunningPipeline`.
    var pipeline: GStreamer.Pipeline { picture.pipeline }

    /// Starts the threads, once the pipeline has started.
    func begin() throws(ToolError) {
        let frames = try SelectedFrames(input, format, selection, from: start)
        self.frames.withLock { $0 = frames }
        let reading = BackgroundThread { [self] in attempt { work throws(ToolError) in try work.read() } }
        let writing = BackgroundThread { [self] in attempt { work throws(ToolError) in try work.write() } }
        threads.withLock { $0 = [reading, writing].compactMap { $0 } }
        guard reading != nil, writing != nil else { throw ToolError(.failed, "No thread could be started.") }
    }

    /// Waits until all is written, once the pipeline has ended.
    func finish() throws(ToolError) {
        join()
        if let problem { throw problem }
        guard let encoder = encoder.withLock({ $0 }) else {
            throw ToolError(
                .input, "\(job.inputName) contains no frame\(selection.origin > 0 ? " in this range" : "").")
        }
        try encoder.finish()
        let diagnostics = frames.withLock { $0 }?.diagnostics() ?? Diagnostics()
        state.withLock { $0.diagnostics = diagnostics }
    }

    /// Ends the work at once, whatever it waits for.
    func stop() {
        frames.withLock { $0 }?.stop()
        encoder.withLock { $0 }?.stop()
        picture.pipeline.element.setState(.null)
        join()
    }

    private func join() {
        for thread in threads.withLock({ $0 }) { thread.wait() }
        threads.withLock { $0 = [] }
    }

    // MARK: - Results

    /// The error that has ended the work.
    var problem: ToolError? { state.withLock { $0.problem } }

    /// Messages of the decoder, once the work is done.
    var diagnostics: Diagnostics { state.withLock { $0.diagnostics } }

    /// Times of the shown frames that were decoded, in nanoseconds of the file.
    var decodedTimes: [UInt64] { frames.withLock { $0 }?.times ?? [] }

    /// Progress until now.
    ///
    /// - Parameter total: nanoseconds of the whole; nil where that is not known.
    func progress(of total: UInt64?) -> ProgressSnapshot { composed.snapshot(total: total) }

    /// The last frame, for messages about a wait.
    var place: String {
        decodedTimes.last.map { "after \((Double($0) / 1e9).clockTime)" } ?? "before the first frame"
    }

    // MARK: - Threads

    private func attempt(_ body: (PictureWork) throws(ToolError) -> Void) {
        do throws(ToolError) { try body(self) } catch {
            state.withLock { $0.problem = $0.problem ?? error }
            pipeline.wakeMainThread()
        }
    }

    private func read() throws(ToolError) {
        defer { picture.endStream() }
        try frames.withLock { $0 }?.read { picture.push($0) }
    }

    private func write() throws(ToolError) {
        var output: (encoder: FrameEncoder, frames: GStreamer.PackedFrames)?
        while let sample = picture.pull() {
            guard let buffer = sample.buffer, let time = buffer.presentationTime else { continue }
            let ticks = selection.outputTicks(of: time, in: input)
            if output == nil { output = try encoder(for: sample, first: ticks) }
            guard let output else { return }
            let isWritten = try output.frames.withBytes(of: buffer) { bytes throws(ToolError) in
                try output.encoder.write(bytes, at: ticks)
            }
            guard isWritten else {
                throw ToolError(.failed, "GStreamer gives frames of another kind than it said.")
            }
            composed.count(presented: time, duration: 0)
        }
    }

    private func encoder(
        for sample: GStreamer.Sample, first: Int
    ) throws(ToolError) -> (FrameEncoder, GStreamer.PackedFrames) {
        guard let caps = sample.caps, let frames = GStreamer.PackedFrames(caps),
            let tag = caps.fields?.string("format").flatMap({ RawPixels(gstreamer: $0) })
        else { throw ToolError(.failed, "GStreamer gives frames of a kind that cannot be encoded.") }
        var track = NUTTrack(
            codecTag: tag.codecTag, timeBase: input.unit, width: outputFormat.width,
            height: outputFormat.height,
            pixelAspectRatio: outputFormat.pixelAspectRatio)
        track.rate = format.rate
        let encoder = try makeEncoder(track, first)
        self.encoder.withLock { $0 = encoder }
        return (encoder, frames)
    }
}

/// Formats of raw frames that are handed to ffmpeg.
enum RawPixels: String {
    case i420 = "I420"
    case i420Ten = "I420_10LE"
    case a420 = "A420"
    case rgba64 = "RGBA64_LE"

    init?(gstreamer name: String) { self.init(rawValue: name) }

    /// Name of the format in NUT, as ffmpeg writes it (libavcodec, raw pixel format tags).
    var codecTag: [UInt8] {
        switch self {
        case .i420: Array("I420".utf8)
        case .i420Ten: Array("Y3".utf8) + [11, 10]
        case .a420: Array("Y4".utf8) + [11, 8]
        case .rgba64: Array("RBA@".utf8)
        }
    }
}

/// The GStreamer pipeline of a video's picture: decoded frames in, composed frames out.
final class PicturePipeline: Sendable {
    let pipeline: GStreamer.Pipeline
    private let source: GStreamer.AppSource
    private let sink: GStreamer.AppSink
    /// Elements between source and sink.
    private let chain: GStreamer.Element

    init(_ job: Job, _ format: PictureFormat, _ framed: FramedVideo? = nil) throws(ToolError) {
        pipeline = try .make()
        let transparent = ", format=(string)\(format.depth == .eight ? "A420" : "RGBA64_LE")"
        let output = job.background == .transparent ? transparent : ""
        let (framing, blending) = (framed?.element ?? "", "blendmask name=blendmask ! ")
        let composing = framed?.isSplit ?? false ? blending + framing : framing + blending
        chain = try pipeline.add(
            chain: "appsrc name=frames format=time block=true max-buffers=3 max-bytes=0 ! "
                + "\(job.compositing.analysis) ! \(composing)video/x-raw\(output) ! "
                + "appsink name=composed sync=false max-buffers=3", hasEnds: false)
        guard let source = GStreamer.AppSource(chain.element(named: "frames")),
            let sink = GStreamer.AppSink(chain.element(named: "composed")),
            let caps = GStreamer.Caps(format.caps)
        else { throw ToolError(.failed, "GStreamer could not make the pipeline of the picture.") }
        (self.source, self.sink) = (source, sink)
        source.element.set("caps", to: caps)
        configure(job)
        framed?.install(in: chain)
    }

    private func configure(_ job: Job) {
        let segment = chain.element(named: "personsegment")
        segment?.set("quality", parsing: job.quality)
        // Lookahead delays nobody where files are written. At `fast` it costs more than it improves.
        segment?.set("lookahead", parsing: job.quality == "fast" ? "0" : "1")
        job.compositing.apply(to: chain)
        if let person = job.keptPerson, let segment, let blend = chain.element(named: "blendmask") {
            person.install(segment, blend)
        }
    }

    /// Gives a frame to the pipeline; waits while that has enough.
    func push(_ frame: GStreamer.Buffer) { source.push(frame) }

    func endStream() { source.endStream() }

    /// The next composed frame; nil at the end, and after a stop.
    func pull() -> GStreamer.Sample? { sink.pull() }

    /// Analyses frames before a time, in nanoseconds, without showing them.
    func leaveOut(before start: UInt64) {
        chain.element(named: "blendmask")?.pad("sink")?.addProbe(.buffer) { info in
            guard let time = info.buffer?.presentationTime, time < start else { return .ok }
            return .drop
        }
    }
}
