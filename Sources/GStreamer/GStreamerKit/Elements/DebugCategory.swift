import CGStreamer

/// A named channel of GStreamer's debug log (`GST_DEBUG=name:5`).
public struct DebugCategory: @unchecked Sendable {
    // GStreamer keeps categories for the life of the process and guards them itself.
    private let category: UnsafeMutablePointer<GstDebugCategory>?

    /// Creates or finds the category `name`.
    public init(_ name: String, _ description: String) {
        category = _gst_debug_category_new(name, 0, description)
    }

    /// Logs a warning of an object at the place where its reason is.
    func warning(
        _ text: @autoclosure () -> String, by object: UnsafeMutablePointer<GObject>,
        _ place: (file: StaticString, function: StaticString, line: Int32)
    ) {
        log(GST_LEVEL_WARNING, text, by: object, place)
    }

    /// Logs a rare event: a model loaded, caps chosen.
    public func info(
        _ text: @autoclosure () -> String, of element: Element? = nil, file: StaticString = #fileID,
        function: StaticString = #function, line: Int32 = #line
    ) {
        log(GST_LEVEL_INFO, text, by: element?.gobject, (file, function, line))
    }

    /// Logs an occasional event: a frame dropped, a stream that breaks off.
    public func debug(
        _ text: @autoclosure () -> String, of element: Element? = nil, file: StaticString = #fileID,
        function: StaticString = #function, line: Int32 = #line
    ) {
        log(GST_LEVEL_DEBUG, text, by: element?.gobject, (file, function, line))
    }

    /// Logs an event of every frame (GStreamer's level LOG).
    public func frame(
        _ text: @autoclosure () -> String, of element: Element? = nil, file: StaticString = #fileID,
        function: StaticString = #function, line: Int32 = #line
    ) {
        log(GST_LEVEL_LOG, text, by: element?.gobject, (file, function, line))
    }

    private func log(
        _ level: GstDebugLevel, _ text: () -> String, by object: UnsafeMutablePointer<GObject>?,
        _ place: (file: StaticString, function: StaticString, line: Int32)
    ) {
        // The text is built only if it is logged: the frame path must not make strings.
        guard let category, gst_debug_category_get_threshold(category).rawValue >= level.rawValue else {
            return
        }
        place.file.withCString { file in
            place.function.withCString { function in
                gst_debug_log_literal(category, level, file, function, place.line, object, text())
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
