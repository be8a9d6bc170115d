import CGStreamer
import CommandKit

/// A pipeline at work: what its bus tells, until the end of the stream.
final class RunningPipeline {
    private let graph: Graph
    private let bus: UnsafeMutablePointer<GstBus>
    private let files: (input: String, output: String?)
    private let onStreams: () throws(ToolError) -> Void
    private let problem: () -> ToolError?
    private var missingDecoder: String?

    /// - Parameters:
    ///   - input: the file that is read, for messages; `output` is the one that is written.
    ///   - onStreams: called when all streams are known, after `wakeMainThread`.
    ///   - problem: what the streaming threads found wrong; it goes before the error that follows from it.
    init(
        _ graph: Graph, input: String, output: String?,
        onStreams: @escaping () throws(ToolError) -> Void = {}, problem: @escaping () -> ToolError?
    ) throws(ToolError) {
        guard let bus = gst_element_get_bus(graph.pipeline) else {
            throw ToolError(.failed, "GStreamer's pipeline has no bus.")
        }
        (self.graph, self.bus, self.problem, self.onStreams) = (graph, bus, problem, onStreams)
        files = (input, output)
    }

    deinit {
        stop()
        gst_object_unref(bus)
    }

    func start() { gst_element_set_state(graph.pipeline, GST_STATE_PLAYING) }
    func stop() { gst_element_set_state(graph.pipeline, GST_STATE_NULL) }

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

    /// A tenth of a second.
    static let tenth: GstClockTime = 100_000_000

    /// Handles the messages of that many nanoseconds; true at the end of the stream.
    func hasEnded(waiting time: GstClockTime) throws(ToolError) -> Bool {
        let kinds =
            GST_MESSAGE_ERROR.rawValue | GST_MESSAGE_EOS.rawValue | GST_MESSAGE_ELEMENT.rawValue
            | GST_MESSAGE_APPLICATION.rawValue
        guard let message = gst_bus_timed_pop_filtered(bus, time, GstMessageType(rawValue: kinds)) else {
            if graph.hasSilentDemuxer { throw .withoutStreams(files.input) }
            return false
        }
        defer { gst_message_unref(message) }
        switch people_message_type(message) {
        case GST_MESSAGE_EOS: return true
        case GST_MESSAGE_ELEMENT: missingDecoder = missingDecoder ?? MissingDecoder.description(message)
        case GST_MESSAGE_APPLICATION:
            if let problem = problem() { throw problem }
            try onStreams()
        default: throw problem() ?? explanation(message)
        }
        return false
    }

    private func explanation(_ message: UnsafeMutablePointer<GstMessage>) -> ToolError {
        // Decoders are reported missing before the error that follows from it.
        if let missingDecoder { return ToolError(.missing, "\(files.input): \(missingDecoder)") }
        return ToolError(pipelineError: PipelineError(message), input: files.input, output: files.output)
    }
}

extension Graph {
    /// Lets `RunningPipeline` call what waits for all streams, or find out about a problem.
    func wakeMainThread() {
        gst_element_post_message(
            pipeline, gst_message_new_application(nil, gst_structure_new_empty("streams")))
    }
}
