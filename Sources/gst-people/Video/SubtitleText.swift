import CGStreamer

/// Makes plain text of subtitles, which GStreamer gives with Pango's markup.
enum SubtitleText {
    /// - Parameters:
    ///   - pad: where subtitles arrive.
    ///   - keepsTags: whether `<i>`, `<b>` and `<u>` stay, which SRT has, too.
    static func install(on pad: Pad, keepsTags: Bool) {
        // The probe goes with the pad, which it must not keep alive.
        nonisolated(unsafe) let pad = pad
        onBuffer(pad) { info in
            guard hasMarkup(pad), let data = info.pointee.data else { return }
            let buffer = data.assumingMemoryBound(to: GstBuffer.self)
            guard let plain = plain(buffer, keepsTags: keepsTags) else { return }
            info.pointee.data = UnsafeMutableRawPointer(plain)
            gst_buffer_unref(buffer)
        }
    }

    private static func hasMarkup(_ pad: Pad) -> Bool {
        guard let caps = gst_pad_get_current_caps(pad) else { return false }
        defer { gst_caps_unref(caps) }
        let format = gst_structure_get_string(gst_caps_get_structure(caps, 0), "format")
        return format.map { String(cString: $0) } == "pango-markup"
    }

    private static func plain(
        _ buffer: UnsafeMutablePointer<GstBuffer>, keepsTags: Bool
    ) -> UnsafeMutablePointer<GstBuffer>? {
        var map = GstMapInfo()
        guard gst_buffer_map(buffer, &map, GST_MAP_READ) != 0 else { return nil }
        defer { gst_buffer_unmap(buffer, &map) }
        let bytes = UnsafeBufferPointer(start: map.data, count: Int(clamping: map.size))
        let text = plain(String(decoding: bytes, as: UTF8.self), keepsTags: keepsTags)
        let encoded = Array(text.utf8)
        guard let plain = gst_buffer_new_allocate(nil, gsize(encoded.count), nil) else { return nil }
        gst_buffer_fill(plain, 0, encoded, gsize(encoded.count))
        gst_buffer_copy_into(plain, buffer, copied, 0, .max)
        return plain
    }

    private static let copied = GstBufferCopyFlags(
        rawValue: GST_BUFFER_COPY_FLAGS.rawValue | GST_BUFFER_COPY_TIMESTAMPS.rawValue)

    private static let entities = [
        ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&#39;", "'"), ("&amp;", "&"),
    ]

    static func plain(_ markup: String, keepsTags: Bool) -> String {
        var rest = markup[...]
        var text = ""
        while let next = rest.first {
            if next == "<", !keepsTags, let end = rest.firstIndex(of: ">") {
                rest = rest[rest.index(after: end)...]
            } else if next == "&", let (entity, character) = entities.first(where: { rest.hasPrefix($0.0) }) {
                text += character
                rest = rest.dropFirst(entity.count)
            } else {
                text.append(next)
                rest = rest.dropFirst()
            }
        }
        return text
    }
}
