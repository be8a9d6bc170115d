import CGStreamer
import TestSupport

/// A buffer of a stream, with its time.
struct Packet {
    /// Running time in nanoseconds.
    ///
    /// The sink leaves out buffers before the start.
    let time: Int64
    let duration: Int64
    let bytes: [UInt8]
}

/// The buffers of one stream of a file.
struct Packets {
    private(set) var all: [Packet] = []
    /// The caps of the last buffer.
    private(set) var caps = ""
    /// The duration in the file, in nanoseconds.
    private(set) var length: Int64 = 0
    /// The names of the stream's tags.
    private(set) var tags: Set<String> = []

    /// Reads a stream.
    ///
    /// - Parameter filter: caps that choose one of the streams of a decodebin: `video/x-raw`, or `audio/mpeg`
    ///   for packets that are not decoded.
    init(_ path: String, _ filter: String) throws {
        TestedPlugin.load()
        let line =
            "filesrc location=\(path) ! decodebin caps=\"\(filter)\" "
            + "! queue max-size-buffers=0 max-size-bytes=0 max-size-time=0 ! appsink name=sink sync=false"
        guard let pipeline = gst_parse_launch(line, nil) else { throw SetupFailure(line) }
        let bin = UnsafeMutableRawPointer(pipeline).assumingMemoryBound(to: GstBin.self)
        guard let sink = gst_bin_get_by_name(bin, "sink") else { throw SetupFailure("no sink") }
        defer {
            gst_element_set_state(pipeline, GST_STATE_NULL)
            gst_object_unref(sink)
            gst_object_unref(pipeline)
        }
        gst_element_set_state(pipeline, GST_STATE_PLAYING)
        let appsink = UnsafeMutableRawPointer(sink).assumingMemoryBound(to: GstAppSink.self)
        while let sample = gst_app_sink_try_pull_sample(appsink, 10_000_000_000) {
            append(sample)
            gst_sample_unref(sample)
        }
        var length: gint64 = 0
        gst_element_query_duration(pipeline, GST_FORMAT_TIME, &length)
        self.length = Int64(length)
        readTags(pipeline)
    }

    /// Reads the tags in the messages of the sink.
    private mutating func readTags(_ pipeline: UnsafeMutablePointer<GstElement>) {
        guard let bus = gst_element_get_bus(pipeline) else { return }
        defer { gst_object_unref(bus) }
        while let message = gst_bus_pop_filtered(bus, GST_MESSAGE_TAG) {
            var list: UnsafeMutablePointer<GstTagList>?
            gst_message_parse_tag(message, &list)
            gst_message_unref(message)
            guard let list else { continue }
            for index in 0..<guint(max(0, gst_tag_list_n_tags(list))) {
                tags.insert(String(cString: gst_tag_list_nth_tag_name(list, index)))
            }
            gst_tag_list_unref(list)
        }
    }

    private mutating func append(_ sample: OpaquePointer) {
        guard let buffer = gst_sample_get_buffer(sample), let segment = gst_sample_get_segment(sample)
        else { return }
        let time = gst_segment_to_running_time(segment, GST_FORMAT_TIME, buffer.pointee.pts)
        let duration = buffer.pointee.duration
        all.append(
            Packet(
                time: Int64(time), duration: duration == .max ? 0 : Int64(duration),
                bytes: Frame.bytes(of: buffer)))
        if let caps = gst_sample_get_caps(sample), let text = gst_caps_to_string(caps) {
            self.caps = String(cString: text)
            g_free(text)
        }
    }

    var times: [Int64] { all.map(\.time).sorted() }
    var start: Int64 { times.first ?? 0 }
    var end: Int64 { all.map { $0.time + $0.duration }.max() ?? 0 }
}

/// Whether two lists of times are equal up to `tolerance` nanoseconds.
func agree(_ one: [Int64], _ other: [Int64], within tolerance: Int64) -> Bool {
    one.count == other.count && zip(one, other).allSatisfy { abs($0 - $1) <= tolerance }
}
