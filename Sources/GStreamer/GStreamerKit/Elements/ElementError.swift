import CGStreamer

/// A failure in GStreamer's terms, which the application receives on the bus as a `GstMessage` error.
///
/// Domains and codes are those of `gsterror.h`.
public struct ElementError: Error, Sendable {
    /// A domain and a code, so that no code can get the wrong domain.
    public enum Code: Sendable, Equatable {
        /// `GST_RESOURCE_ERROR_NOT_FOUND`
        case resourceNotFound
        /// `GST_RESOURCE_ERROR_FAILED`
        case resourceFailed
        /// `GST_RESOURCE_ERROR_OPEN_READ`
        case resourceOpenRead
        /// `GST_RESOURCE_ERROR_READ`
        case resourceRead
        /// `GST_RESOURCE_ERROR_SETTINGS`
        case resourceSettings
        /// `GST_RESOURCE_ERROR_NO_SPACE_LEFT`
        case resourceNoSpaceLeft
        /// `GST_LIBRARY_ERROR_INIT`
        case libraryInit
        /// `GST_LIBRARY_ERROR_FAILED`
        case libraryFailed
        /// `GST_LIBRARY_ERROR_SETTINGS`
        case librarySettings
        /// `GST_STREAM_ERROR_FORMAT`
        case streamFormat
        /// `GST_STREAM_ERROR_FAILED`
        case streamFailed
        /// `GST_STREAM_ERROR_WRONG_TYPE`
        case streamWrongType
        /// `GST_CORE_ERROR_NEGOTIATION`
        case coreNegotiation
    }

    /// Domain and code.
    public var code: Code
    /// One sentence for the user of the program.
    public var text: String
    /// Details for the developer.
    public var debug: String
    /// The reason why a picture or clip cannot be read, as a phrase; nil for other failures.
    package internal(set) var reason: String?
    /// Source location of the failure, as GStreamer's own errors have it.
    let (file, function, line): (StaticString, StaticString, Int32)

    /// Creates a failure with a sentence for the user and details for a developer.
    public init(
        _ code: Code, _ text: String, debug: String = "", file: StaticString = #fileID,
        function: StaticString = #function, line: Int32 = #line
    ) {
        self.code = code
        self.text = text
        self.debug = debug
        (self.file, self.function, self.line) = (file, function, line)
    }
}

extension ElementError.Code {
    var domain: GQuark {
        switch self {
        case .resourceNotFound, .resourceFailed, .resourceOpenRead, .resourceRead, .resourceSettings,
            .resourceNoSpaceLeft:
            gst_resource_error_quark()
        case .libraryInit, .libraryFailed, .librarySettings: gst_library_error_quark()
        case .streamFormat, .streamFailed, .streamWrongType: gst_stream_error_quark()
        case .coreNegotiation: gst_core_error_quark()
        }
    }

    var number: gint {
        switch self {
        case .resourceNotFound: gint(GST_RESOURCE_ERROR_NOT_FOUND.rawValue)
        case .resourceFailed: gint(GST_RESOURCE_ERROR_FAILED.rawValue)
        case .resourceOpenRead: gint(GST_RESOURCE_ERROR_OPEN_READ.rawValue)
        case .resourceRead: gint(GST_RESOURCE_ERROR_READ.rawValue)
        case .resourceSettings: gint(GST_RESOURCE_ERROR_SETTINGS.rawValue)
        case .resourceNoSpaceLeft: gint(GST_RESOURCE_ERROR_NO_SPACE_LEFT.rawValue)
        case .libraryInit: gint(GST_LIBRARY_ERROR_INIT.rawValue)
        case .libraryFailed: gint(GST_LIBRARY_ERROR_FAILED.rawValue)
        case .librarySettings: gint(GST_LIBRARY_ERROR_SETTINGS.rawValue)
        case .streamFormat: gint(GST_STREAM_ERROR_FORMAT.rawValue)
        case .streamFailed: gint(GST_STREAM_ERROR_FAILED.rawValue)
        case .streamWrongType: gint(GST_STREAM_ERROR_WRONG_TYPE.rawValue)
        case .coreNegotiation: gint(GST_CORE_ERROR_NEGOTIATION.rawValue)
        }
    }
}
