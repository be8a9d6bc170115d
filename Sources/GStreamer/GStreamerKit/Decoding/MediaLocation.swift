import CGStreamer
import FileNames

/// The location of a picture or a clip: a path, relative to the current directory unless absolute, or a URI.
struct MediaLocation: Sendable {
    /// The location as the user wrote it.
    let text: String
    let uri: String

    /// The path of a file on this machine.
    let path: String?

    /// Whether the location is a file on this machine, so that reading does not wait for others.
    var isFile: Bool { path != nil }

    /// Whether no part of it comes over a network.
    var isLocal: Bool { isFile || ["data", "resource"].contains(scheme) }

    private var scheme: String { uri.prefix { $0 != ":" }.lowercased() }

    /// Schemes of URIs that name files; the last five are those of GVfs.
    ///
    /// Other schemes name endless streams, devices or programs, which do not even report that no data come.
    private static let fileSchemes = [
        "file", "data", "resource", "http", "https", "ftp", "sftp", "smb", "dav", "davs",
    ]

    /// - Throws: `GST_RESOURCE_ERROR_OPEN_READ` if the location is not a file: opening a pipe would wait for
    ///   its writer.
    init(_ text: String) throws(ElementError) {
        self.text = text
        uri = try Self.uri(of: text)
        guard let path = g_filename_from_uri(uri, nil, nil) else {
            self.path = nil
            guard Self.fileSchemes.contains(scheme) else {
                throw .unreadable(text, "\(scheme): names no file")
            }
            return
        }
        defer { g_free(path) }
        self.path = String(fileName: path)
        guard g_file_test(path, people_file_test_exists) != 0 else { throw .unreadable(text, "no such file") }
        guard g_file_test(path, people_file_test_is_regular) != 0 else {
            throw .unreadable(text, "not a regular file")
        }
        guard !GIFHeader.isDamaged(inFile: path) else { throw .unreadable(text, "a damaged GIF") }
    }

    private static func uri(of text: String) throws(ElementError) -> String {
        // The name of an existing file may look like a URI.
        let isURI = gst_uri_is_valid(text) != 0 && g_file_test(text.fileName, people_file_test_exists) == 0
        if isURI { return text }
        guard let uri = gst_filename_to_uri(text.fileName, nil) else {
            throw .unreadable(text, "not a file name")
        }
        defer { g_free(uri) }
        return String(cString: uri)
    }
}

extension ElementError {
    static func unreadable(
        _ location: String, _ reason: String, file: StaticString = #fileID,
        function: StaticString = #function, line: Int32 = #line
    ) -> ElementError {
        // GStreamer's reasons are whole sentences.
        let reason = reason.hasSuffix(".") ? reason.dropLast() : reason[...]
        var error = ElementError(
            .resourceOpenRead,
            "Could not read \"\(location)\" (\(reason)); give the path or URI of a JPEG, PNG or other picture, "
                + "or of a clip.", file: file, function: function, line: line)
        error.reason = String(reason)
        return error
    }
}
