import CGStreamer

/// Where a picture or a clip is: a path, relative to the current directory unless absolute, or a URI.
struct MediaLocation: Sendable {
    /// As the user wrote it.
    let text: String
    let uri: String

    init(_ text: String) throws(ElementError) {
        self.text = text
        uri = try Self.uri(of: text)
    }

    private static func uri(of text: String) throws(ElementError) -> String {
        if gst_uri_is_valid(text) != 0 { return text }
        guard let uri = gst_filename_to_uri(text, nil) else { throw .unreadable(text, "not a file name") }
        defer { g_free(uri) }
        return String(cString: uri)
    }
}

extension ElementError {
    static func unreadable(_ location: String, _ reason: String) -> ElementError {
        ElementError(
            .resourceOpenRead,
            "Could not read \"\(location)\"; give the path or URI of a JPEG, PNG or other picture, or of a clip.",
            debug: reason)
    }
}
