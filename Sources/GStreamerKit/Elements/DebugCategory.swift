import CGStreamer

/// A named channel of GStreamer's debug log (`GST_DEBUG=name:5`).
public struct DebugCategory: @unchecked Sendable {
    // GStreamer keeps categories for the life of the process and guards them itself.
    private let category: UnsafeMutablePointer<GstDebugCategory>?

    /// Creates or finds the category `name`.
    public init(_ name: String, _ description: String) {
        category = _gst_debug_category_new(name, 0, description)
    }

    /// Logs a warning: something is wrong, and the stream goes on.
    public func warning(
        _ text: @autoclosure () -> String, of element: Element? = nil, file: StaticString = #fileID,
        function: StaticString = #function, line: Int32 = #line
    ) {
        log(GST_LEVEL_WARNING, text, of: element, (file, function, line))
    }

    /// Logs a rare event: a model loaded, caps chosen.
    public func info(
        _ text: @autoclosure () -> String, of element: Element? = nil, file: StaticString = #fileID,
        function: StaticString = #function, line: Int32 = #line
    ) {
        log(GST_LEVEL_INFO, text, of: element, (file, function, line))
    }

    /// Logs an occasional event: a frame dropped, a stream that breaks off.
    public func debug(
        _ text: @autoclosure () -> String, of element: Element? = nil, file: StaticString = #fileID,
        function: StaticString = #function, line: Int32 = #line
    ) {
        log(GST_LEVEL_DEBUG, text, of: element, (file, function, line))
    }

    /// Logs an event of every frame (GStreamer's level LOG).
    public func frame(
        _ text: @autoclosure () -> String, of element: Element? = nil, file: StaticString = #fileID,
        function: StaticString = #function, line: Int32 = #line
    ) {
        log(GST_LEVEL_LOG, text, of: element, (file, function, line))
    }

    private func log(
        _ level: GstDebugLevel, _ text: () -> String, of element: Element?,
        _ place: (file: StaticString, function: StaticString, line: Int32)
    ) {
        // The text is built only if it is logged: the frame path must not make strings.
        guard let category, gst_debug_category_get_threshold(category).rawValue >= level.rawValue else {
            return
        }
        place.file.withCString { file in
            place.function.withCString { function in
                gst_debug_log_literal(category, level, file, function, place.line, element?.gobject, text())
            }
        }
    }
}

extension StaticString {
    func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        withUTF8Buffer { bytes in
            bytes.withMemoryRebound(to: CChar.self) { chars in
                // Static strings end in a NUL; an empty one still has an address.
                chars.baseAddress.map(body) ?? body("")
            }
        }
    }
}
