import CGStreamer
import CommandKit

/// Makes one file: input, decoder, `personsegment ! blendmask`, encoder, muxer, output.
final class Transcoder {
    private let job: Job
    private let graph: Graph
    private let linker: StreamLinker
    private let bus: UnsafeMutablePointer<GstBus>
    private var missingDecoder: String?

    /// - Parameter path: where to write.
    init(_ job: Job, writingTo path: String) throws(ToolError) {
        self.job = job
        graph = try Graph()
        let source = try graph.add("filesrc")
        set(source, "location", text: job.input)
        let sink = try graph.add("filesink")
        set(sink, "location", text: path)
        linker = try StreamLinker(graph: graph, job: job, sink: sink)
        try ImageDecoderRanks.adjust(for: job.input)
        let decoder = try graph.add("decodebin")
        try link(source, decoder)
        guard let bus = gst_element_get_bus(graph.pipeline) else {
            throw ToolError(.failed, "GStreamer's pipeline has no bus.")
        }
        self.bus = bus
        linker.watch(decoder)
    }

    deinit { gst_object_unref(bus) }

    /// Works to the end.
    ///
    /// - Parameter report: called several times a second with the progress.
    func run(_ report: (ProgressSnapshot) -> Void) throws(ToolError) -> Outcome {
        gst_element_set_state(graph.pipeline, GST_STATE_PLAYING)
        defer { gst_element_set_state(graph.pipeline, GST_STATE_NULL) }
        while true {
            if let signal = Signals.pending() { throw ToolError(interruptedBy: signal) }
            if try hasEnded() { return try linker.outcome() }
            report(linker.progress)
        }
    }

    /// Handles the messages of a tenth of a second; true at the end of the stream.
    private func hasEnded() throws(ToolError) -> Bool {
        let tenth: GstClockTime = 100_000_000
        let kinds =
            GST_MESSAGE_ERROR.rawValue | GST_MESSAGE_EOS.rawValue | GST_MESSAGE_ELEMENT.rawValue
            | GST_MESSAGE_APPLICATION.rawValue
        guard let message = gst_bus_timed_pop_filtered(bus, tenth, GstMessageType(rawValue: kinds)) else {
            return false
        }
        defer { gst_message_unref(message) }
        switch people_message_type(message) {
        case GST_MESSAGE_EOS: return true
        case GST_MESSAGE_ELEMENT: missingDecoder = missingDecoder ?? MissingDecoder.description(message)
        case GST_MESSAGE_APPLICATION: if let problem = linker.problem { throw problem }
        default: throw linker.problem ?? explanation(message)
        }
        return false
    }

    private func explanation(_ message: UnsafeMutablePointer<GstMessage>) -> ToolError {
        // Decoders are reported missing before the error that follows from it.
        if let missingDecoder { return ToolError(.missing, "\(job.input): \(missingDecoder)") }
        return ToolError(pipelineError: PipelineError(message), input: job.input, output: job.output)
    }
}

/// What was made.
struct Outcome {
    let progress: ProgressSnapshot
    /// What was changed or left out besides the background, for the user.
    let notes: [String]
}
