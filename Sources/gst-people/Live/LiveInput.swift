import CommandKit
import GStreamerKit

/// The frames of a camera or a stream in a player, and covered ones while there are none.
///
/// One that went away is looked for until it is back. A covered frame goes through all elements of the player, so that its
/// background is shown, and nothing of the room.
final class LiveInput {
    /// Why no frames come, as a sentence; nil while they come.
    private(set) var problem: String?

    private let place: FramePlace
    private let repeats: Bool
    private let reopen: (CameraMode?) throws(ToolError) -> LiveSource
    private var source: LiveSource
    /// Nil while it is looked for.
    private var pipeline: SourcePipeline?
    /// When it was opened, or closed, the last time.
    private var changed = ContinuousClock.now
    /// Whether frames have come since it was opened.
    private var isWelcome = false
    /// The size and rate of the first frame.
    private var mode: CameraMode?
    private var cover: CoveredFrame?
    private var lastCovered = ContinuousClock.now
    /// Since when no frames come.
    private var lost = ContinuousClock.now

    // A camera in the dark takes its time.
    private static let silence = Duration.seconds(2)
    private static let patience = Duration.seconds(5)
    /// From opening it to the first frame.
    private static let longPatience = Duration.seconds(15)
    /// Between two looks for one that is gone.
    private static let pause = Duration.seconds(2)
    /// From one covered frame to the next.
    private static let pace = Duration.milliseconds(90)

    /// - Parameters:
    ///   - place: where the frames go.
    ///   - repeats: whether a clip starts again at its end.
    ///   - reopen: finds the source again, and makes it give frames of a mode.
    init(
        _ source: LiveSource, into place: FramePlace, repeats: Bool = false,
        reopen: @escaping (CameraMode?) throws(ToolError) -> LiveSource
    ) throws(ToolError) {
        (self.source, self.place, self.repeats, self.reopen) = (source, place, repeats, reopen)
        pipeline = try SourcePipeline(source, into: place)
    }

    /// Begins; the player plays already.
    func start() {
        pipeline?.start()
        changed = .now
    }

    func stop() { pipeline?.stop() }

    // MARK: - Watching

    /// To be called several times a second.
    ///
    /// - Throws: where there were no frames at all, and where a clip fails.
    func check() throws(ToolError) {
        if let pipeline { try follow(pipeline) } else if elapsed(since: changed) > Self.pause { look() }
        if source.kind != .clip { hide() }
    }

    private func follow(_ pipeline: SourcePipeline) throws(ToolError) {
        let passage = pipeline.passage
        if passage.frames > 0 { welcome(pipeline, passage) }
        switch try pipeline.news() {
        case .ended:
            if source.kind == .clip { return endRound(pipeline) }
            try lose(ToolError(.input, "\(source.name): no frames come any more."))
        case .failed(let failure): try lose(explanation(failure))
        case nil:
            guard source.kind != .clip else { return }
            let quiet = elapsed(since: max(passage.last, changed))
            if quiet > Self.patience, problem == nil {
                tell(source.silence(seconds: quiet.components.seconds))
                lost = .now - quiet
            }
            // One that has never given any may be slow to begin.
            if mode != nil, quiet > (isWelcome ? Self.patience : Self.longPatience) { close() }
        }
    }

    private func endRound(_ pipeline: SourcePipeline) {
        if repeats { pipeline.rewind() } else { place.endStream() }
    }

    /// Takes notice of frames.
    private func welcome(_ pipeline: SourcePipeline, _ passage: SourcePipeline.Passage) {
        if mode == nil {
            mode = passage.caps.flatMap { CameraMode($0) }
            if source.kind != .clip { cover = passage.caps.flatMap { CoveredFrame($0) } }
        }
        if !isWelcome {
            isWelcome = true
            place.setLatency(pipeline.latency)
        }
        guard problem != nil, elapsed(since: passage.last) < Self.silence else { return }
        problem = nil
        complain("\(source.name): back after \(elapsed(since: lost).components.seconds) s.")
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

    private func lose(_ error: ToolError) throws(ToolError) {
        guard source.kind != .clip, mode != nil else { throw error }
        if problem == nil { tell(error.message, " It is looked for.") }
        close()
    }

    private func tell(_ text: String, _ more: String = "") {
        problem = text
        lost = .now
        complain(text + more)
    }

    private func close() {
        pipeline?.stop()
        pipeline = nil
        changed = .now
    }

    /// Opens it again, if it is there.
    private func look() {
        changed = .now
        do throws(ToolError) {
            let source = try reopen(mode)
            let pipeline = try SourcePipeline(source, into: place)
            (self.source, self.pipeline, isWelcome) = (source, pipeline, false)
            pipeline.start()
            changed = .now
        } catch {
            // It is not back yet.
        }
    }

    // MARK: - Covering

    /// Sends a covered frame when there is no other.
    private func hide() {
        let passage = pipeline?.passage
        let isCovered = passage.map { $0.frames == 0 || elapsed(since: $0.last) > Self.silence }
        guard isCovered ?? true, let cover, elapsed(since: lastCovered) > Self.pace else { return }
        lastCovered = .now
        if let frame = cover.sample { place.push(frame) }
    }

    private func elapsed(since time: ContinuousClock.Instant) -> Duration { .now - time }
}
