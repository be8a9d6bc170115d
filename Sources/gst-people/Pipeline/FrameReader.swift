import CGStreamer
import CommandKit
import Glibc

/// The frames of a film or picture, decoded and analysed, one after the other.
final class FrameReader {
    private let input: String
    private let graph: Graph
    private let chain: Element
    private let sink: Element
    private let bus: UnsafeMutablePointer<GstBus>
    private var missingDecoder: String?
    /// How many frames were read.
    private(set) var count = 0

    /// - Parameters:
    ///   - input: the path of a file of any kind that GStreamer decodes.
    ///   - elements: what each frame goes through, as a pipeline description.
    init(_ input: String, through elements: String) throws(ToolError) {
        try checkInput(input)
        gst_init(nil, nil)
        try ImageDecoderRanks.adjust(for: input)
        self.input = input
        graph = try Graph()
        chain = try graph.add(
            chain: "filesrc name=source ! decodebin ! videoconvert ! \(Self.queue) ! \(elements) "
                + "! appsink name=frames sync=false max-buffers=3", hasEnds: false)
        _ = withElement("source", in: chain) { source in
            gst_people.set(source, "location", text: input)
            EndlessReading.stop(at: source)
        }
        guard let sink = withElement("frames", in: chain, { $0 }),
            let bus = gst_element_get_bus(graph.pipeline)
        else {
            throw ToolError(.failed, "GStreamer could not make the pipeline.")
        }
        // The pipeline keeps it alive.
        self.sink = sink
        self.bus = bus
    }

    deinit {
        gst_element_set_state(graph.pipeline, GST_STATE_NULL)
        gst_object_unref(bus)
    }

    /// Decoding and analysis each get a thread.
    private static let queue = "queue max-size-buffers=3 max-size-bytes=0 max-size-time=0"

    /// Sets a property of an element called `name`, from its text form.
    func set(_ name: String, _ property: String, to value: String) {
        _ = withElement(name, in: chain) { gst_people.set($0, property, value) }
    }

    /// Applies a setting to an element called `name`.
    func set(_ name: String, _ setting: Compositing.Setting) {
        _ = withElement(name, in: chain) { setting.apply(to: $0) }
    }

    /// Lays transparent parts on black; the elements have an identity called `AlphaFlattening.elementName`.
    func flattenAlpha() { AlphaFlattening.install(in: chain, .eight) }

    /// The next frame; nil at the end.
    ///
    /// - Throws: when the file cannot be read on, holds no picture, or a signal asks the program to end.
    func next() throws(ToolError) -> Frame? {
        if count == 0 { gst_element_set_state(graph.pipeline, GST_STATE_PLAYING) }
        let tenth: GstClockTime = 100_000_000
        while true {
            if let signal = Signals.pending() { throw ToolError(interruptedBy: signal) }
            if let sample = gst_app_sink_try_pull_sample(appSink, tenth) {
                count += 1
                return Frame(taking: sample)
            }
            try checkMessages()
            guard gst_app_sink_is_eos(appSink) == 0 else { break }
            if graph.hasSilentDemuxer { throw .withoutStreams(input) }
        }
        guard count > 0 else { throw ToolError(.input, "\(input) contains no image.") }
        return nil
    }

    private var appSink: UnsafeMutablePointer<GstAppSink> {
        UnsafeMutableRawPointer(sink).assumingMemoryBound(to: GstAppSink.self)
    }

    private func checkMessages() throws(ToolError) {
        let kinds = GstMessageType(rawValue: GST_MESSAGE_ERROR.rawValue | GST_MESSAGE_ELEMENT.rawValue)
        while let message = gst_bus_pop_filtered(bus, kinds) {
            defer { gst_message_unref(message) }
            guard people_message_type(message) == GST_MESSAGE_ERROR else {
                missingDecoder = missingDecoder ?? MissingDecoder.description(message)
                continue
            }
            // Decoders are reported missing before the error that follows from it.
            if let missingDecoder { throw ToolError(.missing, "\(input): \(missingDecoder)") }
            throw ToolError(pipelineError: PipelineError(message), input: input)
        }
    }
}
