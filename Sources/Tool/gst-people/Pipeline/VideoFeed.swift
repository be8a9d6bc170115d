import CommandKit
import GStreamerKit
import MediaFiles
import Synchronization
import Threads

/// Gives the frames of a video, or of a part of it, to an appsrc: ffmpeg decodes them, upright.
final class VideoFeed: Sendable {
    private struct State {
        var frames: SelectedFrames?
        var thread: BackgroundThread?
        var notes: [String] = []
        var problem: ToolError?
    }

    private let job: Job
    private let input: VideoInput
    private let selection: FrameSelection
    private let format: PictureFormat
    private let state = Mutex(State())

    /// Reads the headers and the times of all frames; nothing is decoded.
    ///
    /// - Throws: when the file is no video, or damaged.
    ///
    /// - Parameter name: name of the file in messages.
    init(_ path: String, named name: String, _ part: FramePart) throws(ToolError) {
        job = Job(reading: name, part).fetched(to: path)
        input = try Self.open(path, named: name)
        selection = FrameSelection(part.range, of: input)
        format = try PictureFormat(of: input, for: job)
        try input.checkStart(part.range)
        note(try check.checkInput())
    }

    private static func open(_ path: String, named name: String) throws(ToolError) -> VideoInput {
        do throws(ToolError) { return try VideoInput.open(path, named: name) } catch {
            guard let kind = Playlist.kind(ofFile: path) else { throw error }
            throw ToolError(
                .input, "\(name) is \(kind), whose files cannot be opened; give one of those.")
        }
    }

    /// The end of the last frame in nanoseconds of the file; 0 where it is not known.
    var length: UInt64 { input.length }

    /// Missing parts and changes, until now, for the user.
    var notes: [String] { state.withLock { $0.notes } }

    private var check: InputCheck { InputCheck(job, input) }

    /// Starts to decode.
    func start(into source: GStreamer.AppSource) throws(ToolError) {
        let frames = try SelectedFrames(input, format, selection, from: selection.decodingStart(of: input))
        if let caps = GStreamer.Caps(format.caps) { source.element.set("caps", to: caps) }
        let thread = BackgroundThread { [self] in
            do throws(ToolError) { try frames.read { source.push($0) } } catch {
                state.withLock { $0.problem = error }
            }
            source.endStream()
        }
        state.withLock { ($0.frames, $0.thread) = (frames, thread) }
        guard thread != nil else { throw ToolError(.failed, "No thread could be started.") }
    }

    /// Checks what was read, once all frames have come.
    ///
    /// - Throws: when frames are missing.
    func finish() throws(ToolError) {
        join()
        let (problem, frames) = state.withLock { ($0.problem, $0.frames) }
        if let problem { throw problem }
        let times = frames?.times ?? []
        note(try check.checkDecoded(times, selection, frames?.diagnostics() ?? Diagnostics()))
        guard !times.isEmpty else {
            throw ToolError(
                .input, "\(job.inputName) contains no frame\(job.range.isWhole ? "" : " in this range").")
        }
    }

    /// Ends the decoder at once; the thread ends when the appsrc takes no more.
    func stop() { state.withLock { $0.frames }?.stop() }

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
