import CommandKit
import GStreamerKit
import MediaFiles
import Synchronization

/// Decodes, composes and encodes frames of a video: one thread each for reading, composing and writing.
final class PictureWork: Sendable {
    private struct State {
        var problem: ToolError?
        var decodedTimes: [UInt64] = []
        var waits: [Stage: ContinuousClock.Instant] = [:]
        var diagnostics = Diagnostics()
    }

    private enum Stage {
        case reading, writing
    }

    /// Starts the encoder once the first frame is there.
    typealias MakeEncoder = @Sendable (_ track: NUTTrack, _ first: Int) throws(ToolError) -> FrameEncoder

    private let job: Job
    private let input: VideoInput
    private let selection: FrameSelection
    private let picture: PicturePipeline
    private let frames: GStreamer.PackedFrames
    private let state = Mutex(State())
    private let decoder = Mutex<FrameDecoder?>(nil)
    private let encoder = Mutex<FrameEncoder?>(nil)
    private let threads = Mutex<[BackgroundThread]>([])
    private let makeEncoder: MakeEncoder
    private let composed = Progress()
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
        picture = try PicturePipeline(job, format)
        guard let caps = GStreamer.Caps(format.caps), let frames = GStreamer.PackedFrames(caps) else {
            throw ToolError(.input, "\(job.input): frames of \(format.width)x\(format.height) are too large.")
        }
        self.frames = frames
        if selection.warmUp < selection.first { picture.leaveOut(before: selection.first) }
    }

    /// The pipeline, for `RunningPipeline`.
    var pipeline: GStreamer.Pipeline { picture.pipeline }

    /// Starts pipeline and threads.
    func begin() throws(ToolError) {
        let decoder = try FrameDecoder(input, format, from: start)
        self.decoder.withLock { $0 = decoder }
        // An appsink gives nothing before it is started.
        picture.pipeline.element.setState(.playing)
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
                .input, "\(job.input) contains no frame\(selection.origin > 0 ? " in this range" : "").")
        }
        try encoder.finish()
        let diagnostics = decoder.withLock { $0 }?.diagnostics() ?? Diagnostics()
        state.withLock { $0.diagnostics = diagnostics }
    }

    /// Ends the work at once, whatever it waits for.
    func stop() {
        decoder.withLock { $0 }?.stop()
        encoder.withLock { $0 }?.stop()
        picture.pipeline.element.setState(.null)
        join()
    }

    private func join() {
        for thread in threads.withLock({ $0 }) { thread.wait() }
        threads.withLock { $0 = [] }
    }

    // MARK: - Results

    /// Why the work cannot go on.
    var problem: ToolError? { state.withLock { $0.problem } ?? stall }

    /// Messages of the decoder, once the work is done.
    var diagnostics: Diagnostics { state.withLock { $0.diagnostics } }

    /// Times of the shown frames that were decoded, in nanoseconds of the file.
    var decodedTimes: [UInt64] { state.withLock { $0.decodedTimes } }

    /// Progress until now.
    ///
    /// - Parameter total: nanoseconds of the whole; nil where that is not known.
    func progress(of total: UInt64?) -> ProgressSnapshot { composed.snapshot(total: total) }

    /// The error of a file or encoder that has given or taken nothing for long.
    private var stall: ToolError? {
        let now = ContinuousClock.now
        let waits = state.withLock { $0.waits }
        if let since = waits[.reading], now - since > Self.patience {
            let place = decodedTimes.last.map { " after \((Double($0) / 1e9).clockTime)" } ?? ""
            return ToolError(
                .input,
                "\(job.input) cannot be read: it has given no frame for \(Self.patience.components.seconds) s\(place)."
            )
        }
        if let since = waits[.writing], now - since > Self.patience {
            return ToolError(
                .failed, "The encoder has taken no frame for \(Self.patience.components.seconds) s.")
        }
        return nil
    }

    /// Longer than the slowest step between two frames.
    private static let patience = Duration.seconds(30)

    private func wait<Result>(for stage: Stage, _ body: () throws(ToolError) -> Result) throws(ToolError)
        -> Result
    {
        state.withLock { $0.waits[stage] = .now }
        defer { state.withLock { $0.waits[stage] = nil } }
        return try body()
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
        guard let decoder = decoder.withLock({ $0 }) else { return }
        /// The frame before the start, where it is not known whether it is shown then.
        var candidate: (buffer: GStreamer.Buffer, time: UInt64)?
        while let frame = try wait(for: .reading, { () throws(ToolError) in try decoder.next() }) {
            let time = input.nanoseconds(frame.ticks)
            let isBefore = time + VideoRange.tolerance < selection.warmUp
            if isBefore, selection.expected != nil { continue }
            if let shown = candidate, !isBefore, time > selection.warmUp + VideoRange.tolerance {
                give(shown.buffer, shown.time, isShown: true)
            }
            if let end = selection.end, time + VideoRange.tolerance >= end {
                decoder.stop()
                return
            }
            let buffer = try buffer(frame.byteCount, decoder)
            candidate = isBefore ? (buffer, time) : nil
            if !isBefore { give(buffer, time, isShown: time + VideoRange.tolerance >= selection.first) }
        }
        if let shown = candidate { give(shown.buffer, shown.time, isShown: true) }
    }

    private func buffer(_ byteCount: Int, _ decoder: FrameDecoder) throws(ToolError) -> GStreamer.Buffer {
        guard byteCount == frames.byteCount else {
            throw ToolError(.failed, "ffmpeg gives frames of another size than it said.")
        }
        let buffer = try frames.buffer { bytes throws(ToolError) in
            try wait(for: .reading) { () throws(ToolError) in try decoder.read(into: bytes) }
        }
        guard let buffer else { throw ToolError(.failed, "Memory is too short for a frame.") }
        return buffer
    }

    private func give(_ buffer: GStreamer.Buffer, _ time: UInt64, isShown: Bool) {
        buffer.writableView.setPresentationTime(time)
        if isShown { state.withLock { $0.decodedTimes.append(time) } }
        picture.push(buffer)
    }

    private func write() throws(ToolError) {
        var output: (encoder: FrameEncoder, frames: GStreamer.PackedFrames)?
        while let sample = picture.pull() {
            guard let buffer = sample.buffer, let time = buffer.presentationTime else { continue }
            let ticks = selection.outputTicks(of: time, in: input)
            if output == nil { output = try encoder(for: sample, first: ticks) }
            guard let output else { return }
            let isWritten = try output.frames.withBytes(of: buffer) { bytes throws(ToolError) in
                try wait(for: .writing) { () throws(ToolError) in try output.encoder.write(bytes, at: ticks) }
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
        let track = NUTTrack(
            codecTag: tag.codecTag, timeBase: input.unit, width: format.width,
            height: format.height,
            pixelAspectRatio: format.pixelAspectRatio)
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
