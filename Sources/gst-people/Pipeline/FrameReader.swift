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
    private let content = OwnContent()
    private var missingDecoder: String?
    private var watch: StallWatch
    /// How many frames were read.
    private(set) var count = 0

    /// The first frame, where it is not decoded in the pipeline.
    private let picture: Picture?

    /// - Parameters:
    ///   - input: the path of a picture, or of a file of any kind that GStreamer decodes.
    ///   - elements: what each frame goes through, as a pipeline description.
    convenience init(_ input: String, through elements: String) throws(ToolError) {
        // Places are those of the stored frame: tags turn the analysis.
        let picture = try PictureReader.read(input, isUpright: false)
        try self.init(picture, of: input, through: elements)
    }

    /// - Parameters:
    ///   - picture: the only frame; nil to decode the file.
    ///   - input: the path of the file.
    ///   - elements: what each frame goes through, as a pipeline description.
    init(_ picture: Picture?, of input: String, through elements: String) throws(ToolError) {
        try checkInput(input)
        GStreamer.initialize()
        try adjustImageDecoders(for: input)
        (self.input, self.picture, watch) = (input, picture, StallWatch(input))
        pipeline = try .make()
        let source =
            picture == nil
            ? "filesrc name=source ! decodebin ! videoconvert ! \(Self.queue)"
            : "appsrc name=source format=time ! videoconvert"
        chain = try pipeline.add(
            chain: "\(source) ! \(elements) ! appsink name=frames sync=false max-buffers=3", hasEnds: false)
        guard let source = chain.element(named: "source"),
            let sink = GStreamer.AppSink(chain.element(named: "frames"))
        else { throw ToolError(.failed, "GStreamer could not make the pipeline.") }
        self.sink = sink
        guard picture == nil else { return }
        source.set("location", to: input)
        EndlessReading.stop(at: source)
        chain.onElementAdded { [content] in content.watch($0) }
    }

    /// Decoding and analysis each get a thread.
    private static let queue = "queue max-size-buffers=3 max-size-bytes=0 max-size-time=0"

    /// Lends the elements for other settings.
    func configure(_ body: (GStreamer.Element) -> Void) { body(chain) }

    /// Sets a property of an element called `name`, from its text form.
    func set(_ name: String, _ property: String, to value: String) {
        chain.element(named: name)?.set(property, parsing: value)
    }

    /// Applies a setting to an element called `name`.
    func set(_ name: String, _ setting: Compositing.Setting) {
        if let element = chain.element(named: name) { setting.apply(to: element) }
    }

    /// Lays transparent parts on black; the elements have an identity called `AlphaFlattening.elementName`.
    func flattenAlpha() { AlphaFlattening.install(in: chain) }

    /// The next frame; nil at the end.
    ///
    /// - Throws: when the file cannot be read on, holds no image, or a signal asks the program to end.
    func next() throws(ToolError) -> Frame? {
        if count == 0 { try start() }
        while true {
            if let signal = Signals.pending() { throw ToolError(interruptedBy: signal) }
            if let frame = sink.pull(within: RunningPipeline.tenth) {
                count += 1
                return frame
            }
            if let reference = content.reference {
                throw ToolError(
                    .input, "\(input) is \(reference), whose files are not opened; give one of those.")
            }
            try checkMessages()
            guard !sink.isAtEnd else { break }
            if pipeline.hasSilentDemuxer { throw .withoutStreams(input) }
            try watch.check("while it is decoded and analysed")
        }
        guard count > 0 else { throw ToolError(.input, "\(input) contains no image.") }
        return nil
    }

    private func start() throws(ToolError) {
        guard let picture else {
            pipeline.element.setState(.playing)
            return
        }
        guard let source = GStreamer.AppSource(chain.element(named: "source")), let frame = picture.frame,
            let caps = frame.caps
        else { throw ToolError(.failed, "\(input): there is no memory for the picture.") }
        // Before tags, which elements must not get before caps.
        source.element.set("caps", to: caps)
        pipeline.element.setState(.playing)
        if picture.orientation != 1, let turn = GStreamer.Event(orientation: picture.orientation) {
            source.send(turn)
        }
        source.push(frame)
        source.endStream()
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
