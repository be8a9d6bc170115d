import CGStreamer

/// A picture decoded by GStreamer, in whatever format its decoder gave.
public final class StillPicture: @unchecked Sendable {
    // A GstSample is immutable once it is made and its reference count is atomic.
    let sample: OpaquePointer

    private init(takingOwnership sample: OpaquePointer) { self.sample = sample }

    deinit { gst_sample_unref(sample) }

    /// Decodes the picture, or the first frame of the video, at `location`.
    ///
    /// - Parameter location: a path, relative to the current directory unless absolute, or a URI.
    /// - Throws: `GST_RESOURCE_ERROR_OPEN_READ` when nothing there can be decoded within ten seconds.
    public static func load(_ location: String) throws(ElementError) -> StillPicture {
        let pipeline = try DecodingPipeline(uri: uri(of: location), location: location)
        return StillPicture(takingOwnership: try pipeline.firstSample())
    }

    private static func uri(of location: String) throws(ElementError) -> String {
        if gst_uri_is_valid(location) != 0 { return location }
        guard let uri = gst_filename_to_uri(location, nil) else {
            throw .unreadable(location, "not a file name")
        }
        defer { g_free(uri) }
        return String(cString: uri)
    }
}

extension ElementError {
    fileprivate static func unreadable(_ location: String, _ reason: String) -> ElementError {
        ElementError(
            .resourceOpenRead,
            "Could not read the picture \"\(location)\"; give the path or URI of a JPEG, PNG or other picture.",
            debug: reason)
    }
}

/// `uridecodebin ! appsink`, paused on the first frame.
private struct DecodingPipeline: ~Copyable {
    private let pipeline: UnsafeMutablePointer<GstElement>
    private let sink: UnsafeMutablePointer<GstElement>
    private let location: String

    init(uri: String, location: String) throws(ElementError) {
        let description = "uridecodebin name=source ! appsink name=sink max-buffers=1 caps=video/x-raw"
        guard let pipeline = gst_parse_launch(description, nil) else {
            throw ElementError(
                .resourceNotFound,
                "GStreamer's base plugins are not installed: uridecodebin or appsink is missing.")
        }
        let bin = UnsafeMutableRawPointer(pipeline).assumingMemoryBound(to: GstBin.self)
        guard let source = gst_bin_get_by_name(bin, "source"), let sink = gst_bin_get_by_name(bin, "sink")
        else {
            gst_object_unref(pipeline)
            throw .unreadable(location, "the decoding pipeline lacks its elements")
        }
        gst_util_set_object_arg(
            UnsafeMutableRawPointer(source).assumingMemoryBound(to: GObject.self), "uri", uri)
        gst_object_unref(source)
        self.pipeline = pipeline
        self.sink = sink
        self.location = location
    }

    deinit {
        gst_element_set_state(pipeline, GST_STATE_NULL)
        gst_object_unref(sink)
        gst_object_unref(pipeline)
    }

    /// The first decoded frame, owned by the caller.
    borrowing func firstSample() throws(ElementError) -> OpaquePointer {
        gst_element_set_state(pipeline, GST_STATE_PAUSED)
        try waitForPreroll()
        let appsink = UnsafeMutableRawPointer(sink).assumingMemoryBound(to: GstAppSink.self)
        guard let sample = gst_app_sink_try_pull_preroll(appsink, 0) else {
            throw .unreadable(location, "it holds no picture")
        }
        return sample
    }

    private borrowing func waitForPreroll() throws(ElementError) {
        guard let bus = gst_element_get_bus(pipeline) else { throw .unreadable(location, "no bus") }
        defer { gst_object_unref(bus) }
        let types = GST_MESSAGE_ASYNC_DONE.rawValue | GST_MESSAGE_ERROR.rawValue | GST_MESSAGE_EOS.rawValue
        let tenSeconds: GstClockTime = 10_000_000_000
        guard let message = gst_bus_timed_pop_filtered(bus, tenSeconds, GstMessageType(rawValue: types))
        else {
            throw .unreadable(location, "no picture within ten seconds")
        }
        defer { gst_message_unref(message) }
        if people_message_type(message) == GST_MESSAGE_ERROR {
            throw .unreadable(location, text(ofError: message))
        }
    }
}

/// The text of an error message.
private func text(ofError message: UnsafeMutablePointer<GstMessage>) -> String {
    var error: UnsafeMutablePointer<GError>?
    gst_message_parse_error(message, &error, nil)
    defer { g_clear_error(&error) }
    return error?.pointee.message.map { String(cString: $0) } ?? "unknown error"
}
