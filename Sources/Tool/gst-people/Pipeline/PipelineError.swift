import CommandKit
import GStreamerKit

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
