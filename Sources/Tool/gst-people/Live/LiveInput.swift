import CommandKit
import GStreamerKit
import Synchronization

/// The frames of a camera or a stream for a player, and covered frames while there are none.
///
/// A lost source is searched for until it is back. A covered frame passes through all elements of the player,
/// so that the player shows the background and nothing of the room.
final class LiveInput {
    /// The reason why no frames come, as a sentence; nil while they come.
    private(set) var problem: String?
    /// Whether covered frames are sent while the source sends none.
    var coversLosses = true

    private let place: FramePlace
    private let repeats: Bool
    private let reopen: (CameraMode?) throws(ToolError) -> LiveSource
    private var source: LiveSource
    /// The source's pipeline; nil while the source is searched for.
    private var pipeline: SourcePipeline?
    /// The frames that are sent while the source is closed on purpose; nil while it is not.
    private var pause: Pause?
    /// Time at which the source was last opened or closed.
    private var changed = ContinuousClock.now
    /// Whether frames have come since the source was opened.
    private var hasDelivered = false
    /// The size and rate of the first frame.
    private var mode: CameraMode?
    private var cover: CoveredFrame?
    private var lastCovered = ContinuousClock.now
    /// Time since which no frames have come.
    private var lost = ContinuousClock.now

    /// The frames of a source that is closed on purpose.
    enum Pause {
        /// No frames.
        case silent
        /// Covered frames.
        case covered
    }

    /// Time without frames after which covered frames are sent; a camera takes longer exposures in the dark.
    private static let coverDelay = Duration.seconds(2)
    /// Longest time from one frame to the next.
    private static let frameTimeout = Duration.seconds(5)
    /// Longest time from opening the source to its first frame.
    private static let startTimeout = Duration.seconds(15)
    /// Time between two searches for a lost source.
    private static let searchInterval = Duration.seconds(2)
    /// Time from one covered frame to the next.
    private static let coverInterval = Duration.milliseconds(90)

    /// Makes the pipeline of a source.
    ///
    /// - Parameters:
    ///   - place: the place that the frames go to.
    ///   - repeats: whether a clip starts again at its end.
    ///   - reopen: finds the source again, and adapts its frames to a mode.
    init(
        _ source: LiveSource, into place: FramePlace, repeats: Bool = false,
        reopen: @escaping (CameraMode?) throws(ToolError) -> LiveSource
    ) throws(ToolError) {
        (self.source, self.place, self.repeats, self.reopen) = (source, place, repeats, reopen)
        pipeline = try SourcePipeline(source, into: place)
    }

    /// Starts the source; the player already plays.
    func start() {
        pipeline?.start()
        changed = .now
    }

    func stop() { pipeline?.stop() }

    /// Closes the source until `resume`; nothing is reported meanwhile.
    func suspend(_ pause: Pause) {
        (self.pause, problem) = (pause, nil)
        close()
    }

    /// Opens the source again after `suspend`; one that is not there is searched for.
    func resume() {
        guard pause != nil else { return }
        (pause, problem) = (nil, nil)
        reopenSource()
        if pipeline == nil { report("\(source.name): it cannot be opened.", " It is looked for.") }
    }

    // MARK: - Watching

    /// Handles losses and returns of the source; to be called several times a second.
    ///
    /// - Throws: when there has never been a frame, and when a clip fails.
    func check() throws(ToolError) {
        if let pause {
            if pause == .covered { pushCoveredFrame() }
            return
        }
        if let pipeline {
            try follow(pipeline)
        } else if elapsed(since: changed) > Self.searchInterval {
            reopenSource()
        }
        if source.kind != .clip, coversLosses { pushCoveredFrame() }
    }

    private func follow(_ pipeline: SourcePipeline) throws(ToolError) {
        let delivery = pipeline.delivery
        if delivery.frames > 0 { handleFrames(pipeline, delivery) }
        switch try pipeline.nextEvent() {
        case .ended:
            if source.kind == .clip { return endRound(pipeline) }
            try handleLoss(ToolError(.input, "\(source.name): no frames come any more."))
        case .failed(let failure): try handleLoss(explanation(failure))
        case nil:
            guard source.kind != .clip else { return }
            let quiet = elapsed(since: max(delivery.last, changed))
            if quiet > Self.frameTimeout, problem == nil {
                report(source.silence(seconds: quiet.components.seconds))
                lost = .now - quiet
            }
            // A source that has never given frames may be slow to begin.
            if mode != nil, quiet > (hasDelivered ? Self.frameTimeout : Self.startTimeout) { close() }
        }
    }

    private func endRound(_ pipeline: SourcePipeline) {
        if repeats { pipeline.rewind() } else { place.endStream() }
    }

    /// Handles the arrival of frames.
    private func handleFrames(_ pipeline: SourcePipeline, _ delivery: SourcePipeline.Delivery) {
        if mode == nil {
            mode = delivery.caps.flatMap { CameraMode($0) }
            cover = delivery.caps.flatMap { CoveredFrame($0) }
        }
        if !hasDelivered {
            hasDelivered = true
            place.setLatency(pipeline.latency)
        }
        guard problem != nil, elapsed(since: delivery.last) < Self.coverDelay else { return }
        problem = nil
        printDiagnostic("\(source.name): back after \(elapsed(since: lost).components.seconds) s.")
    }

    private func explanation(_ failure: GStreamer.Failure) -> ToolError {
        if source.kind == .clip { return ToolError(liveError: failure) }
        if source.kind == .camera {
            let error = ToolError(liveError: failure)
            return ToolError(error.code, "\(source.name): \(error.message)")
        }
        if let missing = pipeline?.missingDecoder { return ToolError(.missing, "\(source.name): \(missing)") }
        return ToolError(.input, "\(source.name) cannot be read: \(failure.reason)")
    }

    // MARK: - Losing and finding

    private func handleLoss(_ error: ToolError) throws(ToolError) {
        guard source.kind != .clip, mode != nil else { throw error }
        if problem == nil { report(error.message, " It is looked for.") }
        close()
    }

    private func report(_ text: String, _ more: String = "") {
        problem = text
        lost = .now
        printDiagnostic(text + more)
    }

    private func close() {
        pipeline?.stop()
        pipeline = nil
        changed = .now
    }

    /// Opens the source again, if it is back.
    private func reopenSource() {
        changed = .now
        do throws(ToolError) {
            let source = source.isClip ? source : try reopen(mode ?? source.mode)
            let pipeline = try SourcePipeline(source, into: place)
            (self.source, self.pipeline, hasDelivered) = (source, pipeline, false)
            pipeline.start()
            changed = .now
        } catch {
            // The source is not back yet.
        }
    }

    // MARK: - Covering

    /// Sends a covered frame if no other frame comes.
    private func pushCoveredFrame() {
        let delivery = pipeline?.delivery
        let isCovered = delivery.map { $0.frames == 0 || elapsed(since: $0.last) > Self.coverDelay }
        guard isCovered ?? true, let cover, elapsed(since: lastCovered) > Self.coverInterval else { return }
        lastCovered = .now
        if let frame = cover.sample { place.push(frame) }
    }

    private func elapsed(since time: ContinuousClock.Instant) -> Duration { .now - time }
}

/// A pipeline of its own for a source, so that the player goes on when a device fails.
final class SourcePipeline {
    enum Event {
        case ended
        case failed(GStreamer.Failure)
    }

    /// The frames that have passed.
    struct Delivery {
        var frames = 0
        /// Time at which the last frame came.
        var last = ContinuousClock.now
        var caps: GStreamer.Caps?
    }

    private let pipeline: GStreamer.Pipeline
    private let content = PlaylistGuard()
    private let counter: Counter
    /// The format that has no decoder, as a sentence.
    private(set) var missingDecoder: String?

    /// A count of the frames, updated on their thread.
    private final class Counter: Sendable {
        private let state = Mutex(Delivery())

        var now: Delivery { state.withLock { $0 } }

        func note(_ caps: GStreamer.Caps?) {
            state.withLock { state in
                state.frames += 1
                state.last = .now
                state.caps = caps
            }
        }
    }

    /// Makes the pipeline.
    ///
    /// - Parameter place: the place that the frames go to.
    init(_ source: LiveSource, into place: FramePlace) throws(ToolError) {
        (pipeline, counter) = (try .make(), Counter())
        let chain = try pipeline.add(chain: "\(source.elements) ! \(Tap.frames)", hasEnds: false)
        // The player uses the same clock.
        pipeline.element.useSystemClock()
        // Cameras are given as elements, and streams may consist of several files; only a clip must not open
        // others.
        if source.kind == .clip { chain.onElementAdded { [content] in content.watch($0) } }
        guard let frames = GStreamer.AppSink(chain.element(named: "frames")) else {
            throw ToolError(.failed, "GStreamer could not make the pipeline.")
        }
        let (isPaced, ownsMemory) = (source.kind != .camera, source.ownsMemory)
        frames.setCallbacks(
            // The sink is in the pipeline, which would keep itself.
            onSample: { [counter, weak pipeline] sink in
                guard let frame = sink.pull(within: 0), let pipeline else { return true }
                counter.note(frame.caps)
                guard let lasting = ownsMemory ? frame : frame.copied else { return true }
                // Frames paced by a clock get the time at which they arrive.
                place.push(lasting, taken: isPaced ? nil : Self.time(of: frame, in: pipeline.element))
                return true
            }, onEnd: {})
    }

    deinit { stop() }

    func start() { pipeline.element.setState(.playing) }
    func stop() { pipeline.element.setState(.null) }

    /// Seeks to the start of a file.
    func rewind() { pipeline.element.seekToStart() }

    /// The frames that have passed until now.
    var delivery: Delivery { counter.now }

    /// Latency of the source, in nanoseconds.
    var latency: UInt64 { pipeline.element.latency }

    /// Returns the reason why the pipeline has ended; nil while it runs.
    func nextEvent() throws(ToolError) -> Event? {
        if let reference = content.reference {
            throw ToolError(
                .input, "the video is \(reference), whose files are not opened; give one of those.")
        }
        while let message = pipeline.bus.pop([.error, .endOfStream, .latency, .element]) {
            switch message.kind {
            case .endOfStream: return .ended
            case .error: return .failed(message.failure)
            case .latency: pipeline.element.recalculateLatency()
            default: missingDecoder = missingDecoder ?? MissingDecoder.description(message)
            }
        }
        return nil
    }

    /// Returns the time of the clock at which a frame was taken; nil for a frame without a time.
    private static func time(of frame: GStreamer.Sample, in source: GStreamer.Element) -> UInt64? {
        guard let time = frame.buffer?.presentationTime else { return nil }
        return frame.segment?.runningTime(of: time).map { $0 &+ source.baseTime }
    }
}

extension GStreamer.Sample {
    /// A sample with a copy of the bytes, and without a segment; nil when memory is short.
    fileprivate var copied: GStreamer.Sample? {
        guard let caps, let copy = buffer?.deepCopy else { return nil }
        return GStreamer.Sample(copy, caps)
    }
}
