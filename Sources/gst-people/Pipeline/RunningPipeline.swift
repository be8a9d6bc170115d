import CommandKit
import GStreamerKit

/// A pipeline at work: what its bus tells, until the end of the stream.
final class RunningPipeline {
    private let pipeline: GStreamer.Pipeline
    private let files: (input: String, output: String?)
    private let onStreams: () throws(ToolError) -> Void
    private let problem: () -> ToolError?
    private var missingDecoder: String?

    /// - Parameters:
    ///   - input: the file that is read, for messages; `output` is the one that is written.
    ///   - onStreams: called when all streams are known, after `wakeMainThread`.
    ///   - problem: what the streaming threads found wrong; it goes before the error that follows from it.
    init(
        _ pipeline: GStreamer.Pipeline, input: String, output: String?,
        onStreams: @escaping () throws(ToolError) -> Void = {}, problem: @escaping () -> ToolError?
    ) {
        (self.pipeline, self.problem, self.onStreams) = (pipeline, problem, onStreams)
        files = (input, output)
    }

    deinit { stop() }

    func start() { pipeline.element.setState(.playing) }
    func stop() { pipeline.element.setState(.null) }

    /// Works to the end, unless a signal asks to stop.
    ///
    /// - Parameter report: called several times a second.
    func run(_ report: () -> Void) throws(ToolError) {
        start()
        defer { stop() }
        while true {
            if let signal = Signals.pending() { throw ToolError(interruptedBy: signal) }
            if try hasEnded(waiting: Self.tenth) { return }
            report()
        }
    }

    /// A tenth of a second, in nanoseconds.
    static let tenth: UInt64 = 100_000_000

    /// Handles the messages of that many nanoseconds; true at the end of the stream.
    func hasEnded(waiting time: UInt64) throws(ToolError) -> Bool {
        let kinds: GStreamer.Message.Kinds = [.error, .endOfStream, .element, .application]
        guard let message = pipeline.bus.pop(kinds, within: time) else { return false }
        switch message.kind {
        case .endOfStream: return true
        case .element: missingDecoder = missingDecoder ?? MissingDecoder.description(message)
        case .application:
            if let problem = problem() { throw problem }
            try onStreams()
        default: throw problem() ?? explanation(message)
        }
        return false
    }

    private func explanation(_ message: GStreamer.Message) -> ToolError {
        // Decoders are reported missing before the error that follows from it.
        if let missingDecoder { return ToolError(.missing, "\(files.input): \(missingDecoder)") }
        return ToolError(pipelineError: message.failure, input: files.input, output: files.output)
    }
}

extension GStreamer.Pipeline {
    /// Lets `RunningPipeline` call what waits for all streams, or find out about a problem.
    func wakeMainThread() { element.post(application: "streams") }
}
