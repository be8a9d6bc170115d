import CommandKit
import GStreamerKit

/// Pipelines and elements with errors for users of the tool.
extension GStreamer.Pipeline {
    /// An empty pipeline.
    static func make() throws(ToolError) -> GStreamer.Pipeline {
        guard let pipeline = GStreamer.Pipeline() else {
            throw ToolError(.failed, "GStreamer could not make a pipeline.")
        }
        return pipeline
    }

    /// Makes an element and puts it into the pipeline.
    func add(_ factory: String) throws(ToolError) -> GStreamer.Element {
        guard let element = GStreamer.Element(factory: factory) else { throw .missing(element: factory) }
        self.element.add(element)
        return element
    }

    /// Makes the elements of a pipeline description, as one element with the free pads of its ends.
    ///
    /// - Parameter hasEnds: false for a chain from source to sink.
    func add(chain description: String, hasEnds: Bool = true) throws(ToolError) -> GStreamer.Element {
        let chain = try GStreamer.Element.parse(description, hasEnds: hasEnds)
        element.add(chain)
        return chain
    }

    /// Adds the first of several chains whose elements are installed.
    func add(firstOf descriptions: [String], hasEnds: Bool = true) throws(ToolError) -> GStreamer.Element {
        var first: ToolError?
        for description in descriptions {
            do { return try add(chain: description, hasEnds: hasEnds) } catch { first = first ?? error }
        }
        throw first ?? ToolError(.failed, "No alternative is available.")
    }
}

extension GStreamer.Element {
    /// The elements of a pipeline description, which are put nowhere.
    static func parse(_ description: String, hasEnds: Bool = true) throws(ToolError) -> GStreamer.Element {
        do throws(DescriptionError) {
            return try GStreamer.Element(parsing: description, hasEnds: hasEnds)
        } catch {
            if let name = error.missing.first { throw .missing(element: name) }
            throw ToolError(.failed, "GStreamer could not make \"\(description)\": \(error.reason)")
        }
    }
}

extension ToolError {
    static func missing(element name: String) -> ToolError {
        ToolError(
            .missing,
            "GStreamer's element \(name) is not installed: \(DebianPackages.advice(forElement: name)).")
    }
}

/// Links the source pad of one element to the sink pad of another.
func link(_ upstream: GStreamer.Element, _ downstream: GStreamer.Element) throws(ToolError) {
    guard upstream.link(to: downstream) else {
        throw ToolError(.failed, "GStreamer could not link \(upstream.name) to \(downstream.name).")
    }
}

/// Links a pad to the sink pad of an element.
func link(_ pad: GStreamer.Pad, _ element: GStreamer.Element) throws(ToolError) {
    guard let sink = element.pad("sink") else {
        throw ToolError(.failed, "\(element.name) has no input.")
    }
    guard pad.link(to: sink) else {
        throw ToolError(.failed, "GStreamer could not link a stream to \(element.name).")
    }
}

extension GStreamer.Failure {
    /// The text of the error, or the meaning of its code if GStreamer gives no text.
    var reason: String { self.is(.streamFailed) ? "it is damaged, truncated or contains no frames." : text }

    /// Whether an element that needs models has posted it.
    fileprivate var isFromAnalyzer: Bool { isFromAnalyzer(ofPlugin: PeopleElements.plugin) }
}

extension ToolError {
    /// The user's view of a pipeline's error: which file, and what to do.
    ///
    /// - Parameter output: the file that is written, if there is one.
    init(pipelineError error: GStreamer.Failure, input: String, output: String? = nil) {
        if let output, error.source.hasPrefix("filesink") {
            let reason = error.is(.resourceNoSpaceLeft) ? "no space left on its disk." : error.text
            self.init(.output, "\(output) cannot be written: \(reason)")
        } else if error.isFromAnalyzer || ["blendmask", "encoder"].contains(where: error.source.hasPrefix) {
            self.init(liveError: error)
        } else {
            self.init(.input, "\(input) cannot be read: \(error.reason)")
        }
    }

    /// The error of a pipeline without files.
    init(liveError error: GStreamer.Failure) {
        if error.isFromAnalyzer, error.is(.resourceNotFound) {
            self.init(.missing, error.text)
        } else if error.source.hasPrefix("blendmask"), error.is(.resourceOpenRead) {
            self.init(.input, error.text)
        } else {
            self.init(.failed, error.text)
        }
    }
}

/// GStreamer's message that no decoder is installed for a stream.
enum MissingDecoder {
    /// Name of the missing decoder and its package; nil for another message.
    static func description(_ message: GStreamer.Message) -> String? {
        guard let fields = message.fields, fields.name == "missing-plugin" else { return nil }
        let name = fields.string("name") ?? "a decoder"
        let advice = DebianPackages.advice(forDecoderOf: fields.mediaType("detail") ?? "")
        return "\(name) is not installed: \(advice)."
    }
}

/// The elements of this project.
enum PeopleElements {
    /// The plugin that they are in.
    static let plugin = "people"
    /// Elements of the tool, for a system without any of them; on others the registry has their names.
    static let names = [
        "personsegment", "subjectsegment", "facepose", "bodypose", "handpose", "blendmask", "poseoverlay",
        "personbackground", "autoframe",
    ]
}

/// Advice that names the Debian package of a missing element or decoder.
enum DebianPackages {
    /// Advice for a missing element.
    static func advice(forElement name: String) -> String {
        guard !PeopleElements.names.contains(name) else {
            return "run pipelines/build and eval \"$(pipelines/env)\", or install gst-people"
        }
        return "apt-get install \(package(ofElement: name))"
    }

    /// Advice for a missing decoder.
    ///
    /// - Parameter mediaType: the name of the caps that cannot be decoded.
    static func advice(forDecoderOf mediaType: String) -> String {
        switch mediaType {
        case "video/x-vp8", "video/x-vp9", "image/png", "image/jpeg", "audio/x-flac", "audio/x-speex":
            "apt-get install gstreamer1.0-plugins-good"
        case "audio/x-opus", "audio/x-vorbis", "video/x-theora":
            "apt-get install gstreamer1.0-plugins-base"
        case "video/x-av1", "image/webp", "image/heic":
            "apt-get install gstreamer1.0-plugins-bad gstreamer1.0-libav"
        default: "apt-get install gstreamer1.0-libav, and gstreamer1.0-plugins-bad if that is not enough"
        }
    }

    private static func package(ofElement name: String) -> String {
        switch name {
        case "x264enc": "gstreamer1.0-plugins-ugly"
        case "avenc_aac", "avenc_prores_ks": "gstreamer1.0-libav"
        case "webpenc", "jpegparse", "opusparse", "voaacenc", "dcaparse", "h265parse", "x265enc", "gdppay",
            "gdpdepay":
            "gstreamer1.0-plugins-bad"
        case "parsebin", "decodebin", "uridecodebin", "videoconvert", "videoscale", "compositor", "appsink",
            "appsrc", "audioconvert", "audioresample", "opusenc", "vorbisparse":
            "gstreamer1.0-plugins-base"
        case "pipewiresink", "pipewiresrc": "gstreamer1.0-pipewire"
        case "filesrc", "filesink", "queue", "identity", "fakesink", "capsfilter":
            "libgstreamer1.0-0"
        default: "gstreamer1.0-plugins-good"
        }
    }
}
