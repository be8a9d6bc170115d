import GStreamerKit
import Glibc
import Synchronization

/// Records the times at which buffers pass an element's two pads; both probes run on the one streaming
/// thread.
final class Stopwatch: Sendable {
    static let warmUp = 5

    private struct State {
        var times: [Duration] = []
        var firstEnd, lastEnd: ContinuousClock.Instant?
        var arrival: ContinuousClock.Instant?
        var seen = 0
    }

    private let state = Mutex(State())

    var times: [Duration] { state.withLock { $0.times } }
    /// Time at which the last frame of the warm-up left.
    var firstEnd: ContinuousClock.Instant? { state.withLock { $0.firstEnd } }
    /// Time at which the last frame of all left.
    var lastEnd: ContinuousClock.Instant? { state.withLock { $0.lastEnd } }
    /// Number of frames that have left.
    var seen: Int { state.withLock { $0.seen } }

    /// Plays a pipeline description to its end and measures its element `name`.
    static func run(_ description: String, of name: String) throws -> Stopwatch {
        guard let stopwatch = try run(description, of: [name]).first else {
            throw BenchError("no element \(name)")
        }
        return stopwatch
    }

    /// Plays a pipeline description to its end and measures its elements `names`, each by its own stopwatch.
    static func run(_ description: String, of names: [String]) throws -> [Stopwatch] {
        try watch(description, of: names) { pipeline, stopwatches in
            pipeline.element.setState(.playing)
            if let message = pipeline.bus.pop([.endOfStream, .error], within: .max), message.kind == .error {
                throw BenchError(message.failure.text)
            }
            return stopwatches
        }
    }

    /// Makes a pipeline with stopwatches at its elements `names`; `body` may play the pipeline, which stops
    /// at the end.
    static func watch<Result>(
        _ description: String, of names: [String],
        _ body: (GStreamer.Pipeline, [Stopwatch]) throws -> Result
    ) throws -> Result {
        let pipeline = try pipeline(description)
        defer { pipeline.element.setState(.null) }
        let stopwatches = try names.map { name in
            let element = try element(name, in: pipeline)
            let stopwatch = Stopwatch()
            element.pad("sink")?.onBuffer { _ in stopwatch.state.withLock { $0.arrival = .now } }
            element.pad("src")?.onBuffer { _ in stopwatch.note() }
            return stopwatch
        }
        return try body(pipeline, stopwatches)
    }

    private static func pipeline(_ description: String) throws -> GStreamer.Pipeline {
        do throws(DescriptionError) {
            if let pipeline = try GStreamer.Pipeline(description) { return pipeline }
        } catch { throw BenchError(error.reason) }
        throw BenchError("no pipeline: \(description)")
    }

    /// Returns the element `name` of a pipeline.
    static func element(_ name: String, in pipeline: GStreamer.Pipeline) throws -> GStreamer.Element {
        guard let element = pipeline.element.element(named: name) else {
            throw BenchError("no element \(name)")
        }
        return element
    }

    private func note() {
        let now = ContinuousClock.now
        state.withLock { state in
            state.seen += 1
            if state.seen == Self.warmUp { state.firstEnd = now }
            guard let arrival = state.arrival, state.seen > Self.warmUp else { return }
            state.times.append(now - arrival)
            state.lastEnd = now
        }
    }
}

extension ContinuousClock.Instant {
    fileprivate static func - (late: Self, early: Self) -> Duration { early.duration(to: late) }
}

/// Returns the CPU time of all threads of the process during `body`.
func cpuTime(_ body: () throws -> Void) rethrows -> Duration {
    let start = clock()
    try body()
    return .seconds(Double(clock() - start) / Double(CLOCKS_PER_SEC))
}
