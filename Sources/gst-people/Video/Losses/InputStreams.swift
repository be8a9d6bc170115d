import CGStreamer
import Synchronization

/// The streams of a file, as its parsers describe them before anything is decoded.
final class InputStreams: Sendable {
    /// A stream's caps, and what they say.
    struct Stream: @unchecked Sendable {
        // Caps are never changed; the list owns them.
        let caps: Caps
        var type: String { mediaType(of: caps) }
    }

    private let streams = Mutex<[Stream]>([])

    var all: [Stream] { streams.withLock { $0 } }

    deinit { for stream in all { gst_caps_unref(stream.caps) } }

    /// Notes a stream that a parsebin shows.
    func note(_ pad: Pad) {
        guard !add(pad) else { return }
        // parsebin of GStreamer 1.26 hands out pads before their caps, which are there with the first buffer.
        // The probe goes with the pad, which it must not keep alive.
        nonisolated(unsafe) let pad = pad
        onProbe(pad, GST_PAD_PROBE_TYPE_BUFFER) { [self] _ in
            _ = add(pad)
            return GST_PAD_PROBE_REMOVE
        }
    }

    /// Adds the stream of a pad; false where its caps are not known yet.
    private func add(_ pad: Pad) -> Bool {
        guard let caps = gst_pad_get_current_caps(pad) ?? gst_pad_query_caps(pad, nil) else { return false }
        guard gst_caps_is_fixed(caps) != 0 else {
            gst_caps_unref(caps)
            return false
        }
        let stream = Stream(caps: caps)
        streams.withLock { $0.append(stream) }
        return true
    }
}

extension InputStreams.Stream {
    var isVideo: Bool { type.hasPrefix("video/") }
    var isSound: Bool { type.hasPrefix("audio/") }
    var isSubtitle: Bool {
        [
            "text/", "subpicture/", "application/x-ssa", "application/x-ass", "application/x-subtitle",
            "application/ttml",
        ]
        .contains(where: type.hasPrefix)
    }

    /// Bits of a sample of video; nil where nothing says it.
    var bits: Int? {
        var bits: guint = 0
        let fields = gst_caps_get_structure(caps, 0)
        if gst_structure_get_uint(fields, "bit-depth-luma", &bits) != 0 { return Int(bits) }
        return type == "video/x-prores" ? 10 : nil
    }

    /// Whether something installed decodes it.
    var hasDecoder: Bool {
        if type.hasSuffix("/x-raw") { return true }
        let decoders: GstElementFactoryListType = 1
        let all = gst_element_factory_list_get_elements(decoders, GST_RANK_MARGINAL)
        let fitting = gst_element_factory_list_filter(all, caps, GST_PAD_SINK, 0)
        defer {
            gst_plugin_feature_list_free(all)
            gst_plugin_feature_list_free(fitting)
        }
        return fitting != nil
    }

    var isInterlaced: Bool {
        let mode = gst_structure_get_string(gst_caps_get_structure(caps, 0), "interlace-mode")
        return mode.map { String(cString: $0) != "progressive" } ?? false
    }

    /// Whether the range of brightness is more than that of common screens (PQ, HLG).
    var hasHighDynamicRange: Bool {
        var color = GstVideoColorimetry()
        guard let text = gst_structure_get_string(gst_caps_get_structure(caps, 0), "colorimetry"),
            gst_video_colorimetry_from_string(&color, text) != 0
        else { return false }
        return FrameConversion.highDynamicRange(color.transfer) != nil
    }
}
