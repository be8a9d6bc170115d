import CGStreamer
import CommandKit

/// An error message of a pipeline.
struct PipelineError {
    let source: String
    let domain: GQuark
    let code: UInt32
    let text: String

    init(_ message: UnsafeMutablePointer<GstMessage>) {
        var error: UnsafeMutablePointer<GError>?
        gst_message_parse_error(message, &error, nil)
        defer { g_clear_error(&error) }
        source = message.pointee.src.flatMap { $0.pointee.name }.map { String(cString: $0) } ?? ""
        domain = error?.pointee.domain ?? 0
        code = error.map { UInt32(bitPattern: $0.pointee.code) } ?? 0
        text = error?.pointee.message.map { String(cString: $0) } ?? "unknown error"
    }

    /// The text, or what it means where GStreamer has nothing to say.
    var reason: String {
        let isGeneral = domain == gst_stream_error_quark() && code == GST_STREAM_ERROR_FAILED.rawValue
        return isGeneral ? "it is damaged, truncated or contains no frames." : text
    }

    func isResource(_ codes: GstResourceError...) -> Bool {
        domain == gst_resource_error_quark() && codes.contains { $0.rawValue == code }
    }
}

extension ToolError {
    /// The user's view of a pipeline's error: which file, and what to do.
    ///
    /// - Parameter output: the file that is written, if there is one.
    init(pipelineError error: PipelineError, input: String, output: String? = nil) {
        if let output, error.source.hasPrefix("filesink") {
            let full = error.isResource(GST_RESOURCE_ERROR_NO_SPACE_LEFT)
            let reason = full ? "no space left on its disk." : error.text
            self.init(.output, "\(output) cannot be written: \(reason)")
        } else if (Self.analyzers + ["blendmask", "encoder"]).contains(where: error.source.hasPrefix) {
            self.init(liveError: error)
        } else {
            self.init(.input, "\(input) cannot be read: \(error.reason)")
        }
    }

    /// What a pipeline without files says.
    init(liveError error: PipelineError) {
        if Self.analyzers.contains(where: error.source.hasPrefix),
            error.isResource(GST_RESOURCE_ERROR_NOT_FOUND)
        {
            self.init(.missing, error.text)
        } else if error.source.hasPrefix("blendmask"), error.isResource(GST_RESOURCE_ERROR_OPEN_READ) {
            self.init(.input, error.text)
        } else {
            self.init(.failed, error.text)
        }
    }

    /// Elements that need models.
    private static let analyzers = ["personsegment", "subjectsegment", "facepose", "bodypose", "handpose"]
}

/// GStreamer's message that no decoder is installed for a stream.
enum MissingDecoder {
    /// What is missing and which package has it; nil for another message.
    static func description(_ message: UnsafeMutablePointer<GstMessage>) -> String? {
        guard let fields = gst_message_get_structure(message),
            gst_structure_has_name(fields, "missing-plugin") != 0
        else { return nil }
        let name = gst_structure_get_string(fields, "name").map { String(cString: $0) } ?? "a decoder"
        return "\(name) is not installed: \(DebianPackages.advice(forDecoderOf: mediaType(fields)))."
    }

    private static func mediaType(_ fields: UnsafePointer<GstStructure>) -> String {
        guard let value = gst_structure_get_value(fields, "detail"),
            g_type_check_value_holds(value, gst_caps_get_type()) != 0,
            let caps = gst_value_get_caps(value)
        else { return "" }
        return gst_people.mediaType(of: UnsafeMutablePointer(mutating: caps))
    }
}
