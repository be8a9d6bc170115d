import CommandKit
import GStreamerKit
import Imaging
import MediaFiles
import Synchronization
import Threads

/// A decoded frame with what was found in it.
typealias Frame = GStreamer.Sample

extension Frame {
    /// Pixels.
    var size: (width: Int, height: Int) {
        let fields = caps?.fields
        return (fields?.int("width") ?? 0, fields?.int("height") ?? 0)
    }
}

/// The frames of a video or image, decoded and analyzed, one after the other.
final class FrameReader {
    private enum Content {
        case picture(Picture)
        case video(VideoFeed)
    }

    private let input: String
    private let content: Content
    private let pipeline: GStreamer.Pipeline
    private let chain: GStreamer.Element
    private let source: GStreamer.AppSource
    private let sink: GStreamer.AppSink
    private var watch: StallWatch
    /// The file that was fetched from the input, which lasts as long as it is read.
    private var fetched: FetchedVideo?
    /// Number of frames that were read.
    private(set) var count = 0

    /// - Parameters:
    ///   - input: the path of a picture or video.
    ///   - part: the part of a video that is read.
    ///   - acceptsPictures: whether a picture is read that has none of the times of the part.
    ///   - elements: a pipeline description of the elements that each frame passes.
    convenience init(
        _ input: String, _ part: FramePart, acceptsPictures: Bool = false, through elements: String
    ) throws(ToolError) {
        GStreamer.initialize()
        var limits = PictureReader.Limits()
        limits.acceptsDamage = part.acceptsDamage
        let fetched = try FetchedVideo(of: input, part)
        let path = fetched?.path ?? input
        let name = input == "-" ? "standard input" : input
        if let picture = try PictureReader.read(path, named: name, limits) {
            if !acceptsPictures { try part.checkPicture(name) }
            for note in picture.notes { printDiagnostic("\(name): \(note)") }
            try self.init(.picture(picture.onBlack), of: name, through: elements)
        } else {
            try self.init(.video(VideoFeed(path, named: name, part)), of: name, through: elements)
        }
        self.fetched = fetched
    }

    /// - Parameters:
    ///   - picture: the only frame.
    ///   - input: the path of its file.
    ///   - elements: a pipeline description of the elements that it passes.
    convenience init(_ picture: Picture, of input: String, through elements: String) throws(ToolError) {
        GStreamer.initialize()
        try self.init(.picture(picture), of: input, through: elements)
    }

    private init(_ content: Content, of input: String, through elements: String) throws(ToolError) {
        (self.input, self.content, watch) = (input, content, StallWatch(input))
        pipeline = try .make()
        chain = try pipeline.add(
            chain: "appsrc name=source format=time block=true max-buffers=3 max-bytes=0 ! videoconvert "
                + "! \(Self.queue) ! \(elements) ! appsink name=frames sync=false max-buffers=3",
            hasEnds: false)
        guard let source = GStreamer.AppSource(chain.element(named: "source")),
            let sink = GStreamer.AppSink(chain.element(named: "frames"))
        else { throw ToolError(.failed, "GStreamer could not make the pipeline.") }
        (self.source, self.sink) = (source, sink)
    }

    deinit {
        guard case .video(let feed) = content else { return }
        feed.stop()
        // The thread may be waiting for the appsrc.
        pipeline.element.setState(.null)
        feed.join()
    }

    /// Conversion and analysis each get a thread.
    private static let queue = "queue max-size-buffers=3 max-size-bytes=0 max-size-time=0"

    /// Whether the only frame is that of a picture.
    var isPicture: Bool {
        if case .picture = content { true } else { false }
    }

    /// The end of a video's last frame in nanoseconds; 0 where it is not known.
    var length: UInt64 {
        if case .video(let feed) = content { feed.length } else { 0 }
    }

    /// Prints notes about missing or changed parts of a video on the standard error output.
    func printNotes() {
        guard case .video(let feed) = content else { return }
        for note in feed.notes { printDiagnostic("\(input): \(note)") }
    }

    /// Sets a property of an element called `name`, from its text form.
    func set(_ name: String, _ property: String, to value: String) {
        chain.element(named: name)?.set(property, parsing: value)
    }

    /// The next frame; nil at the end.
    ///
    /// - Throws: when the file cannot be read on, lacks frames, or a signal asks the program to end.
    func next() throws(ToolError) -> Frame? {
        if count == 0 { try start() }
        while true {
            if let signal = Signals.pending() { throw ToolError(interruptedBy: signal) }
            if let frame = sink.pull(within: RunningPipeline.tenth) {
                count += 1
                return frame
            }
            if let message = pipeline.bus.pop(.error) {
                throw ToolError(pipelineError: message.failure, input: input)
            }
            guard !sink.isAtEnd else { break }
            try watch.check("while it is decoded and analysed")
        }
        if case .video(let feed) = content { try feed.finish() }
        return nil
    }

    private func start() throws(ToolError) {
        switch content {
        case .video(let feed):
            try startPipeline()
            try feed.start(into: source)
        case .picture(let picture):
            guard let frame = picture.frame else {
                throw ToolError(.failed, "\(input): there is no memory for the picture.")
            }
            try startPipeline()
            source.push(frame)
            source.endStream()
        }
    }

    /// An appsrc that has not started takes nothing.
    private func startPipeline() throws(ToolError) {
        try pipeline.start { ToolError(pipelineError: $0.failure, input: input) }
    }
}

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
