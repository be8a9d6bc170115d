import CGStreamer
import CommandKit

/// What writes the streams of a film into one file.
struct Muxer: @unchecked Sendable {
    // GStreamer's objects do their own locking.
    let element: Element
    let container: Container

    init(_ container: Container, in graph: Graph) throws(ToolError) {
        self.container = container
        element = try graph.add(container.muxer)
    }

    /// Says when the film was recorded, in seconds since 1970; in other containers, its header is changed at the end.
    func setRecorded(_ time: Int64?) {
        guard !container.hasTrackTimescale, let time,
            let date = g_date_time_new_from_unix_utc(gint64(time))
        else { return }
        defer { g_date_time_unref(date) }
        var value = GValue()
        g_value_init(&value, g_date_time_get_type())
        g_value_set_boxed(&value, UnsafeRawPointer(date))
        g_object_set_property(
            UnsafeMutableRawPointer(element).assumingMemoryBound(to: GObject.self), "creation-time", &value)
        g_value_unset(&value)
    }

    /// Links the chain that gives encoded frames.
    func link(picture: Element) throws(ToolError) {
        guard let pad = gst_element_request_pad_simple(element, "video_%u"),
            let source = gst_element_get_static_pad(picture, "src")
        else { throw ToolError(.failed, "GStreamer's \(container.muxer) accepts no video.") }
        defer {
            gst_object_unref(pad)
            gst_object_unref(source)
        }
        if container.hasTrackTimescale {
            // Whole ticks for all common frame rates, 24/1.001 included, and fine for variable ones.
            gst_util_set_object_arg(
                UnsafeMutableRawPointer(pad).assumingMemoryBound(to: GObject.self), "trak-timescale", "120000"
            )
            set(element, "movie-timescale", "120000")
            MuxerWorkarounds.install(on: source)
            ProResColorTags.install(on: source)
        }
        guard gst_pad_link(source, pad) == GST_PAD_LINK_OK else {
            throw ToolError(.failed, "GStreamer could not link the video to \(container.muxer).")
        }
    }
}
