import CommandKit
import GStreamerKit

/// The pipeline of a video's picture at work: messages of its bus, until the end of the stream.
final class RunningPipeline {
    private let work: PictureWork
    private let files: (input: String, output: String?)
    private var pipeline: GStreamer.Pipeline { work.pipeline }

    /// - Parameters:
    ///   - input: the file that is read, for messages; `output` is the one that is written.
    init(_ work: PictureWork, input: String, output: String?) {
        self.work = work
        files = (input, output)
    }

    deinit { stop() }

    /// Starts all elements.
    ///
    /// - Throws: the error of an element that does not start; an `appsrc` of the pipeline blocks for ever then.
    func start() throws(ToolError) {
        try pipeline.start { message in work.problem ?? explanation(message) }
    }

    func stop() { pipeline.element.setState(.null) }

    /// Works to the end, once it has started, unless a signal asks to stop.
    ///
    /// - Parameter report: called several times a second.
    func run(_ report: () -> Void) throws(ToolError) {
        defer { stop() }
        var watch = StallWatch(files.input)
        while true {
            if let signal = Signals.pending() { throw ToolError(interruptedBy: signal) }
            if try hasEnded(waiting: Self.tenth) { return }
            report()
            try watch.check(work.place)
        }
    }

    /// A tenth of a second, in nanoseconds.
    static let tenth: UInt64 = 100_000_000

    /// Handles the messages of that many nanoseconds; true at the end of the stream.
    func hasEnded(waiting time: UInt64) throws(ToolError) -> Bool {
        let kinds: GStreamer.Message.Kinds = [.error, .endOfStream, .application]
        guard let message = pipeline.bus.pop(kinds, within: time) else { return false }
        switch message.kind {
        case .endOfStream: return true
        case .application:
            if let problem = work.problem { throw problem }
        default: throw work.problem ?? explanation(message)
        }
        return false
    }

    private func explanation(_ message: GStreamer.Message) -> ToolError {
        ToolError(pipelineError: message.failure, input: files.input, output: files.output)
    }
}

extension GStreamer.Pipeline {
    /// Lets `RunningPipeline` find out about a problem.
    func wakeMainThread() { element.post(application: "problem") }

    /// Starts all elements.
    ///
    /// - Parameter explain: the error for the message of an element that does not start.
    func start(_ explain: (GStreamer.Message) -> ToolError) throws(ToolError) {
        guard !element.setState(.playing) else { return }
        guard let message = bus.pop(.error) else {
            throw ToolError(.failed, "GStreamer could not start the pipeline.")
        }
        throw explain(message)
    }
}
