import CommandKit
import GStreamerKit
import Synchronization

/// A pipeline that gives the frames of a source to a player, which plays on whatever becomes of a device.
final class SourcePipeline {
    enum News {
        case ended
        case failed(GStreamer.Failure)
    }

    /// What has passed.
    struct Passage {
        var frames = 0
        /// When the last frame came.
        var last = ContinuousClock.now
        var caps: GStreamer.Caps?
    }

    private let pipeline: GStreamer.Pipeline
    private let content = OwnContent()
    private let counter: Counter
    /// What has no decoder, as a sentence.
    private(set) var missingDecoder: String?

    /// Counts frames on their thread.
    private final class Counter: Sendable {
        private let state = Mutex(Passage())

        var now: Passage { state.withLock { $0 } }

        func note(_ caps: GStreamer.Caps?) {
            state.withLock { state in
                state.frames += 1
                state.last = .now
                state.caps = caps
            }
        }
    }

    /// - Parameters:
    ///   - place: where the frames go.
    ///   - player: the pipeline of that place.
    init(
        _ source: LiveSource, into place: GStreamer.AppSource, of player: GStreamer.Element
    ) throws(ToolError) {
        (pipeline, counter) = (try .make(), Counter())
        let chain = try pipeline.add(chain: "\(source.elements) ! \(Tap.frames)", hasEnds: false)
        // The same clock as the player's.
        pipeline.element.useSystemClock()
        // What cameras are made of is given as elements, and streams are made of others.
        if source.kind == .clip { chain.onElementAdded { [content] in content.watch($0) } }
        guard let frames = GStreamer.AppSink(chain.element(named: "frames")) else {
            throw ToolError(.failed, "GStreamer could not make the pipeline.")
        }
        let (element, counter, isPaced) = (pipeline.element, counter, source.kind != .camera)
        frames.setCallbacks(
            onSample: { sink in
                guard let frame = sink.pull(within: 0) else { return true }
                counter.note(frame.caps)
                // Frames that a clock has paced are of the time at which they come.
                let taken = isPaced ? nil : Self.time(of: frame, in: element, for: player)
                if let frame = frame.at(taken ?? player.runningTime) { place.push(frame) }
                return true
            }, onEnd: {})
    }

    deinit { stop() }

    func start() { pipeline.element.setState(.playing) }
    func stop() { pipeline.element.setState(.null) }

    /// Begins again at the start of a file.
    func rewind() { pipeline.element.seekToStart() }

    /// What has passed until now.
    var passage: Passage { counter.now }

    /// By how much the source delays its frames, in nanoseconds.
    var latency: UInt64 { pipeline.element.latency }

    /// What became of it; nil while it works.
    func news() throws(ToolError) -> News? {
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

    /// The player's running time at which a frame was taken; nil for one without a time.
    private static func time(
        of frame: GStreamer.Sample, in source: GStreamer.Element, for player: GStreamer.Element
    ) -> UInt64? {
        guard let time = frame.buffer?.presentationTime, let running = frame.segment?.runningTime(of: time)
        else { return nil }
        let taken = running &+ source.baseTime
        return taken > player.baseTime ? taken - player.baseTime : 0
    }
}

extension GStreamer.Element {
    /// The time that a pipeline has played, in nanoseconds.
    var runningTime: UInt64 {
        guard let now = clockTime, now > baseTime else { return 0 }
        return now - baseTime
    }
}

extension GStreamer.Sample {
    /// This frame at another time, in nanoseconds.
    fileprivate func at(_ time: UInt64) -> GStreamer.Sample? {
        guard let caps, let buffer = buffer?.part(from: 0) else { return nil }
        buffer.writableView.setPresentationTime(time)
        buffer.writableView.setDecodingTime(nil)
        return GStreamer.Sample(buffer, caps)
    }
}
