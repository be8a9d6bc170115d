import CommandKit
import Framing
import GStreamerKit
import Glibc

/// Plays source, analysis, background and sink until the end, and prints the speed.
final class LivePlayer {
    /// Additional elements between those of every command, as parts of a pipeline description that end with
    /// `!`.
    struct Insertions {
        var beforeAnalysis = ""
        var beforeBlend = ""
    }

    private let pipeline: GStreamer.Pipeline
    let chain: GStreamer.Element
    let meter: LiveMeter
    let source: LiveSource
    /// Called with each warning of the pipeline.
    var onWarning: (GStreamer.Failure) -> Void = { _ in }
    /// The feed of a camera in PipeWire; nil without one.
    var feed: CameraFeed?
    /// Whether the speed is printed while it plays.
    var printsSpeed = true
    /// The camera, and the stream behind the people if there is one.
    private var inputs: [LiveInput] = []
    private var last = LiveMeter.Reading()
    private var hasShownMode = false

    /// Makes the pipeline.
    ///
    /// - Parameters:
    ///   - compositing: nil for frames in which the background is replaced already.
    ///   - elements: the elements behind `blendmask`, as a pipeline description. Frames are measured where
    ///     they leave the element called `out`.
    ///   - stream: address of the stream behind the people, for an `appsrc` called `stream`.
    init(
        _ options: LiveOptions, _ compositing: Compositing?, _ insertions: Insertions = Insertions(),
        then elements: String, stream: String? = nil
    ) throws(ToolError) {
        source = try LiveSource(options)
        pipeline = try .make()
        chain = try pipeline.add(
            chain:
                "\(FramePlace.elements("camera")) ! \(source.decoder) ! \(options.turn.elements)"
                + "\(Self.replacement(compositing, options.framing.framing, insertions))\(elements)",
            hasEnds: false)
        // The clock of pipewiresink (1.4) jumps when a program opens the camera. A live source then sends
        // many frames at once to catch up, and the sink waits for ever for buffers, which the program returns
        // only with the next frame.
        pipeline.element.useSystemClock()
        guard let pad = chain.element(named: "out")?.pad("src") else {
            throw ToolError(.failed, "GStreamer could not make the pipeline.")
        }
        meter = LiveMeter(pipeline.element, pad)
        chain.element(named: "personsegment")?.set("quality", parsing: options.quality)
        compositing?.apply(to: chain)
        inputs.append(try camera(options))
        if let stream { inputs.append(try behind(stream)) }
    }

    deinit { stop() }

    /// Returns the elements that replace the background, as a part of a pipeline description that ends with `!`.
    private static func replacement(
        _ compositing: Compositing?, _ framing: FramingChoice?, _ insertions: Insertions
    ) -> String {
        guard let compositing else { return insertions.beforeAnalysis + insertions.beforeBlend }
        let framing = FramingOptions.live(framing, compositing.preset, hasFinder: compositing.hidesHeads)
        return "\(insertions.beforeAnalysis)\(compositing.analysis) ! \(framing)\(insertions.beforeBlend)"
            + "blendmask name=blendmask ! "
    }

    private func camera(_ options: LiveOptions) throws(ToolError) -> LiveInput {
        let place = try FramePlace(chain, "camera", of: pipeline.element)
        return try LiveInput(source, into: place, repeats: options.sink == nil) {
            [source] (mode) throws(ToolError) in
            source.isClip ? source : try .camera(options, in: mode)
        }
    }

    private func behind(_ stream: String) throws(ToolError) -> LiveInput {
        let source = LiveSource.stream(stream)
        let place = try FramePlace(chain, "stream", of: pipeline.element)
        return try LiveInput(source, into: place) { _ in source }
    }

    /// The reason why no frames come, as a sentence; nil while they come.
    var problem: String? { inputs.lazy.compactMap(\.problem).first }

    /// Plays until the end or Control-C.
    ///
    /// - Returns: the program's exit status.
    func run() throws(ToolError) -> Int32 {
        start()
        defer { stop() }
        while try !hasEnded(waiting: RunningPipeline.tenth) {
            if try Self.isInterrupted() { break }
            try report()
        }
        try summarize()
        return ExitCode.success.rawValue
    }

    func start() {
        pipeline.element.setState(.playing)
        for input in inputs { input.start() }
    }

    func stop() {
        for input in inputs { input.stop() }
        pipeline.element.setState(.null)
    }

    /// Closes the sources until `resume`, while the models stay loaded.
    ///
    /// Frames and masks of the time before are discarded.
    func suspend() {
        for input in inputs { input.suspend(.silent) }
        discard()
    }

    func resume() {
        discard()
        for input in inputs { input.resume() }
    }

    private func discard() {
        for event in [GStreamer.Event.flushStart, GStreamer.Event.flushStop] {
            if let event { GStreamer.AppSource(chain.element(named: "camera"))?.send(event) }
        }
    }

    /// Starts the elements without the sources, which `resume` opens, and lets a frame load the models.
    func warmUp(_ frame: GStreamer.Sample) throws(ToolError) {
        pipeline.element.setState(.playing)
        for input in inputs { input.suspend(.silent) }
        try FramePlace(chain, "camera", of: pipeline.element).push(frame)
    }

    /// The running time of the pipeline, in nanoseconds.
    var runningTime: UInt64 {
        let (now, base) = (pipeline.element.clockTime ?? 0, pipeline.element.baseTime)
        return now > base ? now - base : 0
    }

    /// Whether covered frames are shown while the sources send none.
    var coversLosses = true {
        didSet { for input in inputs { input.coversLosses = coversLosses } }
    }

    /// Whether the sources are closed on purpose, and covered frames are shown.
    var isCovered = false {
        didSet { for input in inputs { isCovered ? input.suspend(.covered) : input.resume() } }
    }

    /// Whether Control-C was pressed; another signal ends the program.
    static func isInterrupted() throws(ToolError) -> Bool {
        guard let signal = Signals.pending() else { return false }
        return try ends(after: signal)
    }

    /// Returns true for Control-C; throws for other signals.
    static func ends(after signal: Int32) throws(ToolError) -> Bool {
        guard signal == SIGINT else { throw ToolError(interruptedBy: signal) }
        return true
    }

    /// Handles the pipeline's messages without waiting; returns true at the end.
    func step() throws(ToolError) -> Bool {
        let hasEnded = try hasEnded(waiting: 0)
        try report()
        return hasEnded
    }

    /// Prints a summary of the run.
    func summarize() throws(ToolError) {
        try showMode()
        let frames = "\(meter.now.frames) frames, \(meter.now.speed(since: meter.first))"
        try printText((Terminal.isOutput ? "\n" : "") + frames + "\n")
    }

    // MARK: - Messages

    /// Handles messages for so many nanoseconds; returns true at the end.
    private func hasEnded(waiting time: UInt64) throws(ToolError) -> Bool {
        let kinds: GStreamer.Message.Kinds = [.error, .warning, .endOfStream, .latency]
        guard let message = pipeline.bus.pop(kinds, within: time) else { return false }
        switch message.kind {
        case .warning: onWarning(message.failure)
        case .latency: pipeline.element.recalculateLatency()
        case .endOfStream: return true
        default:
            if isClosedWindow(message) { return true }
            if VirtualCamera.hasLostReader(message.failure) { return false }
            throw ToolError(liveError: message.failure)
        }
        return false
    }

    /// Whether the message is the error of a video sink whose window was closed.
    private func isClosedWindow(_ message: GStreamer.Message) -> Bool {
        meter.now.frames > 0 && message.failure.is(.resourceNotFound) && message.element?.isVideoSink ?? false
    }

    // MARK: - Speed

    /// Prints the speed: every second on a terminal, rewriting the line, else every ten seconds.
    private func report() throws(ToolError) {
        try showMode()
        try feed?.check()
        for input in inputs { try input.check() }
        let now = meter.now
        guard printsSpeed, now.time - last.time >= (Terminal.isOutput ? 1 : 10) else { return }
        try printText(now.speed(since: last) + (Terminal.isOutput ? "  \r" : "\n"))
        last = now
    }

    private func showMode() throws(ToolError) {
        guard !hasShownMode, let mode = meter.mode else { return }
        hasShownMode = true
        try printText("output: \(mode.summary)\n")
    }
}

/// Returns the sink that shows the frames.
func screen(_ options: LiveOptions) throws(ToolError) -> String {
    if let sink = options.sink { return sink }
    guard getenv("DISPLAY") != nil || getenv("WAYLAND_DISPLAY") != nil else {
        throw ToolError(.input, "no screen: neither DISPLAY nor WAYLAND_DISPLAY is set")
    }
    return "autovideosink sync=false"
}

/// The terminal from which the tool was started.
enum Terminal {
    static var isOutput: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Asks a question whose default answer is yes; without a terminal the answer is no.
    static func confirms(_ question: String) throws(ToolError) -> Bool {
        guard isatty(STDIN_FILENO) == 1, isOutput else { return false }
        try printText(question)
        var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        // Signals are blocked: short waits, so that Control-C is noticed.
        while poll(&input, 1, 100) == 0 {
            if let signal = Signals.pending() { throw ToolError(interruptedBy: signal) }
        }
        guard let answer = readLine() else { return false }
        return ["", "y", "yes"].contains(answer.filter { !$0.isWhitespace }.lowercased())
    }
}
