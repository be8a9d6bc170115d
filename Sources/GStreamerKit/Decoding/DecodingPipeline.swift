import CGStreamer
import Imaging

/// `uridecodebin ! appsink`: the frames of a picture or a clip as their decoder gives them.
final class DecodingPipeline: @unchecked Sendable {
    // Set by `init` only; GStreamer's objects do their own locking.
    let pipeline: UnsafeMutablePointer<GstElement>
    let sink: UnsafeMutablePointer<GstAppSink>
    /// How the frames must be turned to be upright, as far as tags have told.
    let orientation = Guarded(ImageOrientation.up)
    private let limit = PictureLimit()
    private let reading: ReadLimit
    private let starts = ConditionLock(Starts())

    private struct Starts {
        /// How many calls of `play` have not come to their end.
        var count = 0
        /// Whether `stop` has given up waiting for them.
        var areAbandoned = false
    }

    /// - Throws: `GST_RESOURCE_ERROR_NOT_FOUND` when GStreamer's base plugins are missing.
    init(_ location: MediaLocation) throws(ElementError) {
        // Sound would be decoded for nothing. Decodebin takes decoders that could also use other memory
        // only when that is allowed.
        let description =
            "uridecodebin name=source caps=video/x-raw;video/x-raw(ANY) expose-all-streams=false "
            + "appsink name=sink caps=video/x-raw max-buffers=1 sync=false enable-last-sample=false"
        guard let pipeline = gst_parse_launch(description, nil) else {
            throw ElementError(
                .resourceNotFound,
                "GStreamer's base plugins are not installed: uridecodebin or appsink is missing.")
        }
        let bin = UnsafeMutableRawPointer(pipeline).assumingMemoryBound(to: GstBin.self)
        guard let source = gst_bin_get_by_name(bin, "source"), let sink = gst_bin_get_by_name(bin, "sink")
        else {
            gst_object_unref(pipeline)
            throw .unreadable(location.text, "the decoding pipeline is incomplete")
        }
        gst_util_set_object_arg(
            UnsafeMutableRawPointer(source).assumingMemoryBound(to: GObject.self), "uri", location.uri)
        linkPads(of: source, to: sink)
        gst_object_unref(source)
        self.pipeline = pipeline
        reading = ReadLimit(isFile: location.isFile)
        self.sink = UnsafeMutableRawPointer(sink).assumingMemoryBound(to: GstAppSink.self)
        watch(sink)
        limit.watch(pipeline)
        reading.watch(pipeline)
    }

    private func watch(_ sink: UnsafeMutablePointer<GstElement>) {
        guard let pad = gst_element_get_static_pad(sink, "sink") else { return }
        defer { gst_object_unref(pad) }
        reading.watchFrames(at: pad)
        addProbe(to: pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM) { [orientation] _, info in
            guard let event = info.event, people_event_type(event) == GST_EVENT_TAG,
                let new = GStreamerKit.orientation(inTagsOf: event)
            else { return GST_PAD_PROBE_OK }
            orientation.update { $0 = new }
            return GST_PAD_PROBE_OK
        }
    }

    deinit {
        stop()
        gst_object_unref(sink)
        gst_object_unref(pipeline)
    }

    /// Starts to decode, on a thread of GStreamer's.
    ///
    /// A decoder that fails while uridecodebin starts makes it start decodebin once more. That waits for the first start's
    /// streaming thread, which may wait in the sink until the start is done: then only `stop` ends both.
    func play() {
        // From here on the sink can be asked for samples.
        gst_element_set_state(pipeline, GST_STATE_READY)
        starts.update { $0.count += 1 }
        callAsynchronously(pipeline) { [starts] pipeline in
            gst_element_set_state(pipeline, GST_STATE_PLAYING)
            let isAbandoned = starts.update { starts in
                starts.count -= 1
                return starts.areAbandoned
            }
            if isAbandoned { gst_element_set_state(pipeline, GST_STATE_NULL) }
        }
    }

    /// Ends decoding; `play` must have returned.
    ///
    /// With GStreamer 1.28 a start may wait for ever where a decoder fails: decodebin then frees that decoder, which waits for
    /// decodebin's lock (once in some thousand starts). Such a start is given up after five seconds; its thread stays.
    func stop() {
        // Ends the sink's waiting, and with it a start that does not come to its end.
        if let pad = gst_element_get_static_pad(
            UnsafeMutableRawPointer(sink).assumingMemoryBound(to: GstElement.self), "sink")
        {
            gst_pad_send_event(pad, gst_event_new_flush_start())
            gst_object_unref(pad)
        }
        if haveStartsEnded() { gst_element_set_state(pipeline, GST_STATE_NULL) }
    }

    private func haveStartsEnded() -> Bool {
        let patience: gint64 = 5_000_000
        _ = starts.wait(until: g_get_monotonic_time() + patience) { $0.count == 0 ? () : nil }
        return starts.update { starts in
            starts.areAbandoned = starts.count > 0
            return !starts.areAbandoned
        }
    }

    /// Goes back to the first frame; false when the source cannot.
    func seekToStart() -> Bool {
        guard let query = gst_query_new_seeking(GST_FORMAT_TIME) else { return false }
        defer { gst_query_unref(query) }
        var canSeek: gboolean = 0
        guard gst_element_query(pipeline, query) != 0 else { return false }
        gst_query_parse_seeking(query, nil, &canSeek, nil, nil)
        let flags = GstSeekFlags(rawValue: GST_SEEK_FLAG_FLUSH.rawValue | GST_SEEK_FLAG_ACCURATE.rawValue)
        return canSeek != 0 && gst_element_seek_simple(pipeline, GST_FORMAT_TIME, flags, 0) != 0
    }

    /// Why the picture is not decoded, if it is not.
    var refusal: PictureLimit.Refusal? { limit.refusal }

    /// Why nothing more is read, if it is so.
    var readFault: String? { reading.fault }

    /// The reason of an error that was posted meanwhile; nil when there is none.
    func failure() -> String? {
        guard let bus = gst_element_get_bus(pipeline) else { return nil }
        defer { gst_object_unref(bus) }
        guard let message = gst_bus_pop_filtered(bus, GST_MESSAGE_ERROR) else { return nil }
        defer { gst_message_unref(message) }
        return text(ofError: message)
    }
}

/// Links the first picture of `source` to `sink`, each time that it starts.
private func linkPads(
    of source: UnsafeMutablePointer<GstElement>, to sink: UnsafeMutablePointer<GstElement>
) {
    typealias Added = @convention(c) (gpointer?, UnsafeMutablePointer<GstPad>?, gpointer?) -> Void
    let added: Added = { _, pad, sink in
        guard let pad, let sink = sink?.assumingMemoryBound(to: GstElement.self),
            let target = gst_element_get_static_pad(sink, "sink")
        else { return }
        // Any further stream is left alone.
        if gst_pad_is_linked(target) == 0 { gst_pad_link(pad, target) }
        gst_object_unref(target)
    }
    g_signal_connect_data(
        source, "pad-added", unsafeBitCast(added, to: GCallback.self), gst_object_ref(sink),
        { sink, _ in gst_object_unref(sink) }, GConnectFlags(rawValue: 0))
}

/// The text of an error message.
func text(ofError message: UnsafeMutablePointer<GstMessage>) -> String {
    var error: UnsafeMutablePointer<GError>?
    gst_message_parse_error(message, &error, nil)
    defer { g_clear_error(&error) }
    return error?.pointee.message.map { String(cString: $0) } ?? "unknown error"
}
