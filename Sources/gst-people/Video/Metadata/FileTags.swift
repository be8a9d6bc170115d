import CGStreamer
import CommandKit

/// What a film says about itself, as GStreamer reads it.
struct FileTags {
    /// GStreamer's names of the tags that are about the work, not about its encoding.
    private(set) var names: Set<String> = []
    /// When it was recorded, in seconds since 1970; nil where no time of the day is known.
    private(set) var recorded: Int64?
    private(set) var hasChapters = false
    let streams = InputStreams()

    /// Reads the beginning of a file; what cannot be read has no tags.
    init(of path: String) {
        guard let graph = try? Graph(), let source = try? graph.add("filesrc"),
            let parser = try? graph.add("parsebin"), let bus = gst_element_get_bus(graph.pipeline)
        else { return }
        defer { gst_object_unref(bus) }
        set(source, "location", text: path)
        try? link(source, parser)
        onPadAdded(parser) { [weak graph, streams] pad in
            streams.note(pad)
            guard let sink = try? graph?.add(chain: "\(Self.queue) ! fakesink") else { return }
            gst_element_sync_state_with_parent(sink)
            try? link(pad, sink)
        }
        gst_element_set_state(graph.pipeline, GST_STATE_PAUSED)
        while let message = gst_bus_timed_pop(bus, Self.patience) {
            defer { gst_message_unref(message) }
            switch people_message_type(message) {
            case GST_MESSAGE_TAG: add(tagsOf: message)
            case GST_MESSAGE_TOC: hasChapters = true
            case GST_MESSAGE_ASYNC_DONE where message.pointee.src == graph.object: return
            case GST_MESSAGE_ERROR: return
            default: break
            }
        }
    }

    /// A sink that has its first packet must not keep those of the other streams from the file, which one thread reads.
    private static let queue = "queue max-size-buffers=0 max-size-time=0"

    /// Streams of subtitles may have nothing for a long time, in nanoseconds.
    private static let patience: GstClockTime = 2_000_000_000

    private mutating func add(tagsOf message: UnsafeMutablePointer<GstMessage>) {
        var list: UnsafeMutablePointer<GstTagList>?
        gst_message_parse_tag(message, &list)
        guard let list else { return }
        defer { gst_tag_list_unref(list) }
        for index in 0..<max(0, gst_tag_list_n_tags(list)) {
            guard let name = gst_tag_list_nth_tag_name(list, guint(index)),
                gst_tag_get_flag(name) == GST_TAG_FLAG_META
            else { continue }
            names.insert(String(cString: name))
        }
        var date: OpaquePointer?
        guard gst_tag_list_get_date_time(list, "datetime", &date) != 0, let date else { return }
        defer { gst_date_time_unref(date) }
        guard gst_date_time_has_time(date) != 0, let moment = gst_date_time_to_g_date_time(date) else {
            return
        }
        recorded = recorded ?? Int64(g_date_time_to_unix(moment))
        g_date_time_unref(moment)
    }
}

extension Graph {
    fileprivate var object: UnsafeMutablePointer<GstObject> {
        UnsafeMutableRawPointer(pipeline).assumingMemoryBound(to: GstObject.self)
    }
}
