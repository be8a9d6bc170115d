import CommandKit
import GStreamerKit
import Synchronization

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
        let (element, counter, isPaced) = (pipeline.element, counter, source.kind != .camera)
        frames.setCallbacks(
            onSample: { sink in
                guard let frame = sink.pull(within: 0) else { return true }
                counter.note(frame.caps)
                // Frames paced by a clock get the time at which they arrive.
                place.push(frame, taken: isPaced ? nil : Self.time(of: frame, in: element))
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
