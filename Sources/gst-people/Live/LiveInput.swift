import CommandKit
import GStreamerKit

/// The frames of a camera or a stream in a player, and covered ones while there are none.
///
/// One that went away is looked for until it is back. A covered frame goes through all elements of the player, so that its
/// background is shown, and nothing of the room.
final class LiveInput {
    /// Why no frames come, as a sentence; nil while they come.
    private(set) var problem: String?

    private let place: GStreamer.AppSource
    private let player: GStreamer.Element
    private let repeats: Bool
    private let reopen: (CameraMode?) throws(ToolError) -> LiveSource
    private var source: LiveSource
    /// Nil while it is looked for.
    private var pipeline: SourcePipeline?
    /// When it was opened, or closed, the last time.
    private var changed = ContinuousClock.now
    /// Of the first frame.
    private var mode: CameraMode?
    private var cover: CoveredFrame?
    private var lastCovered = ContinuousClock.now
    /// Since when no frames come.
    private var lost = ContinuousClock.now

    // A camera in the dark takes its time.
    private static let silence = Duration.seconds(2)
    private static let patience = Duration.seconds(5)
    /// After which it is opened again.
    private static let longPatience = Duration.seconds(15)
    /// Between two looks for one that is gone.
    private static let pause = Duration.seconds(2)
    /// From one covered frame to the next.
    private static let pace = Duration.milliseconds(90)

    /// - Parameters:
    ///   - name: of the `appsrc` in `chain`, which is in the pipeline `player`.
    ///   - repeats: whether a clip starts again at its end.
    ///   - reopen: finds the source again, and makes it give frames of a mode.
    init(
        _ source: LiveSource, into chain: GStreamer.Element, _ name: String, of player: GStreamer.Element,
        repeats: Bool = false, reopen: @escaping (CameraMode?) throws(ToolError) -> LiveSource
    ) throws(ToolError) {
        guard let place = GStreamer.AppSource(chain.element(named: name)) else {
            throw ToolError(.failed, "GStreamer could not make the pipeline.")
        }
        (self.source, self.place, self.player) = (source, place, player)
        (self.repeats, self.reopen) = (repeats, reopen)
        pipeline = try SourcePipeline(source, into: place, of: player)
    }

    /// The element that takes the frames, as a pipeline description: of those that are not analysed yet it keeps the newest.
    static func elements(_ name: String) -> String {
        "appsrc name=\(name) is-live=true format=time max-buffers=1 max-bytes=0 max-time=0 leaky-type=downstream"
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
            if quiet > Self.patience, problem == nil { tell(source.silence(seconds: quiet.components.seconds)) }
            // One that has never given any may be slow to begin.
            if quiet > Self.longPatience, mode != nil { close() }
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
            place.element.set("min-latency", parsing: "\(pipeline.latency)")
        }
        guard problem != nil, elapsed(since: passage.last) < Self.silence else { return }
        problem = nil
        complain("\(source.name): back after \(elapsed(since: lost).components.seconds) s.")
    }

    /// Whether frames have come since it was opened.
    private var isWelcome = false

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
        if problem == nil { tell("\(error.message) It is looked for.") }
        close()
    }

    private func tell(_ text: String) {
        problem = text
        lost = .now
        complain(text)
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
            let pipeline = try SourcePipeline(source, into: place, of: player)
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
        let isCovered = pipeline.map { elapsed(since: $0.passage.last) > Self.silence } ?? true
        guard isCovered, let cover, elapsed(since: lastCovered) > Self.pace else { return }
        lastCovered = .now
        if let frame = cover.sample(at: player.runningTime) { place.push(frame) }
    }

    private func elapsed(since time: ContinuousClock.Instant) -> Duration { .now - time }
}
