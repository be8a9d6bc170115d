import CommandKit
import GStreamerKit
import Imaging

/// A decoded frame with what was found in it.
typealias Frame = GStreamer.Sample

extension Frame {
    /// Pixels.
    var size: (width: Int, height: Int) {
        let fields = caps?.fields
        return (fields?.int("width") ?? 0, fields?.int("height") ?? 0)
    }

    /// A frame of its own for a cut-out; nil when memory is short.
    init?(_ image: CutOut) {
        let text = "video/x-raw,format=RGBA,width=\(image.width),height=\(image.height),framerate=0/1"
        guard let caps = GStreamer.Caps(text), let buffer = GStreamer.Buffer(image.pixels) else {
            return nil
        }
        self.init(buffer, caps)
    }
}

/// The frames of a video or image, decoded and analyzed, one after the other.
final class FrameReader {
    private let input: String
    private let pipeline: GStreamer.Pipeline
    private let chain: GStreamer.Element
    private let sink: GStreamer.AppSink
    private var missingDecoder: String?
    /// How many frames were read.
    private(set) var count = 0

    /// - Parameters:
    ///   - input: the path of a file of any kind that GStreamer decodes.
    ///   - elements: what each frame goes through, as a pipeline description.
    init(_ input: String, through elements: String) throws(ToolError) {
        try checkInput(input)
        GStreamer.initialize()
        try adjustImageDecoders(for: input)
        self.input = input
        pipeline = try .make()
        chain = try pipeline.add(
            chain: "filesrc name=source ! decodebin ! videoconvert ! \(Self.queue) ! \(elements) "
                + "! appsink name=frames sync=false max-buffers=3", hasEnds: false)
        guard let source = chain.element(named: "source"),
            let sink = GStreamer.AppSink(chain.element(named: "frames"))
        else { throw ToolError(.failed, "GStreamer could not make the pipeline.") }
        self.sink = sink
        source.set("location", to: input)
        EndlessReading.stop(at: source)
    }

    /// Decoding and analysis each get a thread.
    private static let queue = "queue max-size-buffers=3 max-size-bytes=0 max-size-time=0"

    /// Sets a property of an element called `name`, from its text form.
    func set(_ name: String, _ property: String, to value: String) {
        chain.element(named: name)?.set(property, parsing: value)
    }

    /// Applies a setting to an element called `name`.
    func set(_ name: String, _ setting: Compositing.Setting) {
        if let element = chain.element(named: name) { setting.apply(to: element) }
    }

    /// Lays transparent parts on black; the elements have an identity called `AlphaFlattening.elementName`.
    func flattenAlpha() { AlphaFlattening.install(in: chain, .eight) }

    /// The next frame; nil at the end.
    ///
    /// - Throws: when the file cannot be read on, holds no image, or a signal asks the program to end.
    func next() throws(ToolError) -> Frame? {
        if count == 0 { pipeline.element.setState(.playing) }
        while true {
            if let signal = Signals.pending() { throw ToolError(interruptedBy: signal) }
            if let frame = sink.pull(within: RunningPipeline.tenth) {
                count += 1
                return frame
            }
            try checkMessages()
            guard !sink.isAtEnd else { break }
            if pipeline.hasSilentDemuxer { throw .withoutStreams(input) }
        }
        guard count > 0 else { throw ToolError(.input, "\(input) contains no image.") }
        return nil
    }

    private func checkMessages() throws(ToolError) {
        while let message = pipeline.bus.pop([.error, .element]) {
            guard message.kind == .error else {
                missingDecoder = missingDecoder ?? MissingDecoder.description(message)
                continue
            }
            // Decoders are reported missing before the error that follows from it.
            if let missingDecoder { throw ToolError(.missing, "\(input): \(missingDecoder)") }
            throw ToolError(pipelineError: message.failure, input: input)
        }
    }
}
