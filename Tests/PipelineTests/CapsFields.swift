import CGStreamer

/// The fields of caps with one structure.
struct CapsFields: CustomStringConvertible {
    /// The caps as text.
    let description: String

    init(_ text: String) { description = text }

    /// A field's value as GStreamer writes it, texts without quotes; nil if there is no such field.
    subscript(name: String) -> String? {
        read { caps in
            guard let fields = gst_caps_get_structure(caps, 0) else { return nil }
            if let text = gst_structure_get_string(fields, name) { return String(cString: text) }
            return gst_structure_get_value(fields, name).flatMap { copyAndFree(gst_value_serialize($0)) }
        }
    }

    /// The kind of memory and other features: `memory:DMABuf`.
    var features: String? {
        read { caps in gst_caps_get_features(caps, 0).flatMap { copyAndFree(gst_caps_features_to_string($0)) }
        }
    }

    private func read(_ body: (UnsafeMutablePointer<GstCaps>) -> String?) -> String? {
        guard let caps = gst_caps_from_string(description) else { return nil }
        defer { gst_caps_unref(caps) }
        return body(caps)
    }

    private func copyAndFree(_ text: UnsafeMutablePointer<CChar>?) -> String? {
        guard let text else { return nil }
        defer { g_free(text) }
        return String(cString: text)
    }
}
