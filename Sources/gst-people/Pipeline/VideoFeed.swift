import CommandKit
import GStreamerKit
import MediaFiles
import Synchronization

/// Gives the frames of a video, or of a part of it, to an appsrc: ffmpeg decodes them, upright.
final class VideoFeed: Sendable {
    private struct State {
        var decoder: FrameDecoder?
        var thread: BackgroundThread?
        var times: [UInt64] = []
        var notes: [String] = []
        var problem: ToolError?
    }

    private let job: Job
    private let input: VideoInput
    private let selection: FrameSelection
    private let format: PictureFormat
    private let frames: GStreamer.PackedFrames
    private let state = Mutex(State())

    /// Reads the headers and the times of all frames; nothing is decoded.
    ///
    /// - Throws: when the file is no video, or damaged.
    init(_ path: String, _ part: FramePart) throws(ToolError) {
        job = Job(reading: path, part)
        input = try Self.open(path)
        selection = FrameSelection(part.range, of: input)
        format = try PictureFormat(of: input.track, for: job)
        guard let caps = GStreamer.Caps(format.caps), let frames = GStreamer.PackedFrames(caps) else {
            throw ToolError(.input, "\(path): frames of \(format.width)x\(format.height) are too large.")
        }
        self.frames = frames
        try input.checkStart(part.range)
        note(try check.checkInput())
    }

    private static func open(_ path: String) throws(ToolError) -> VideoInput {
        do throws(ToolError) { return try VideoInput(path: path) } catch {
            guard let kind = Playlist.kind(ofFile: path) else { throw error }
            throw ToolError(
                .input, "\(path) is \(kind), whose files cannot be opened; give one of those.")
        }
    }

    /// The end of the last frame in nanoseconds of the file; 0 where it is not known.
    var length: UInt64 { input.length }

    /// Missing parts and changes, until now, for the user.
    var notes: [String] { state.withLock { $0.notes } }

    private var check: InputCheck { InputCheck(job, input) }

    /// Starts to decode.
    func start(into source: GStreamer.AppSource) throws(ToolError) {
        let decoder = try FrameDecoder(input, format, from: selection.decodingStart(of: input))
        if let caps = GStreamer.Caps(format.caps) { source.element.set("caps", to: caps) }
        let thread = BackgroundThread { [self] in
            do throws(ToolError) { try read(decoder, into: source) } catch {
                state.withLock { $0.problem = error }
            }
            source.endStream()
        }
        state.withLock { ($0.decoder, $0.thread) = (decoder, thread) }
        guard thread != nil else { throw ToolError(.failed, "No thread could be started.") }
    }

    private func read(_ decoder: FrameDecoder, into source: GStreamer.AppSource) throws(ToolError) {
        /// The frame before the start, where it is not known whether it is shown then.
        var candidate: (buffer: GStreamer.Buffer, time: UInt64)?
        while let frame = try decoder.next() {
            let time = input.nanoseconds(frame.ticks)
            let isBefore = time + VideoRange.tolerance < selection.first
            if isBefore, selection.expected != nil { continue }
            if let shown = candidate, !isBefore, time > selection.first + VideoRange.tolerance {
                give(shown.buffer, shown.time, to: source)
            }
            if job.range.isBehind(time) { return decoder.stop() }
            let buffer = try buffer(frame.byteCount, decoder)
            candidate = isBefore ? (buffer, time) : nil
            if !isBefore { give(buffer, time, to: source) }
        }
        if let shown = candidate { give(shown.buffer, shown.time, to: source) }
    }

    private func buffer(_ byteCount: Int, _ decoder: FrameDecoder) throws(ToolError) -> GStreamer.Buffer {
        guard byteCount == frames.byteCount else {
            throw ToolError(.failed, "ffmpeg gives frames of another size than it said.")
        }
        let buffer = try frames.buffer { bytes throws(ToolError) in try decoder.read(into: bytes) }
        guard let buffer else { throw ToolError(.failed, "Memory is too short for a frame.") }
        return buffer
    }

    private func give(_ buffer: GStreamer.Buffer, _ time: UInt64, to source: GStreamer.AppSource) {
        buffer.writableView.setPresentationTime(time)
        state.withLock { $0.times.append(time) }
        source.push(buffer)
    }

    /// Checks what was read, once all frames have come.
    ///
    /// - Throws: when frames are missing.
    func finish() throws(ToolError) {
        join()
        let (problem, times, decoder) = state.withLock { ($0.problem, $0.times, $0.decoder) }
        if let problem { throw problem }
        note(try check.checkDecoded(times, selection, decoder?.diagnostics() ?? Diagnostics()))
        guard !times.isEmpty else {
            throw ToolError(
                .input, "\(job.input) contains no frame\(job.range.isWhole ? "" : " in this range").")
        }
    }

    /// Ends the decoder at once; the thread ends when the appsrc takes no more.
    func stop() { state.withLock { $0.decoder }?.stop() }

    /// Waits for the end of the thread.
    func join() { state.withLock { $0.thread }?.wait() }

    private func note(_ notes: [String]) { state.withLock { $0.notes += notes } }
}

extension VideoInput {
    /// Throws when the video ends before the range begins.
    func checkStart(_ range: VideoRange) throws(ToolError) {
        guard range.start > 0, length > 0, range.start >= length else { return }
        throw ToolError(
            .input, "\(media.name) ends at \((Double(length) / 1e9).clockTime), before --start.")
    }
}
