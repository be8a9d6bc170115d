import GStreamerKit

/// Makes plain text of subtitles, which GStreamer gives with Pango's markup.
enum SubtitleText {
    /// - Parameters:
    ///   - pad: where subtitles arrive.
    ///   - keepsTags: whether `<i>`, `<b>` and `<u>` stay, which SRT has, too.
    static func install(on pad: GStreamer.Pad, keepsTags: Bool) {
        pad.onBuffer { info in
            guard info.pad.currentCaps?.fields?.string("format") == "pango-markup", let buffer = info.buffer,
                let plain = plain(buffer, keepsTags: keepsTags)
            else { return }
            info.replace(with: plain)
        }
    }

    private static func plain(_ buffer: GStreamer.BufferView, keepsTags: Bool) -> GStreamer.Buffer? {
        let text = buffer.withBytes { plain(String(decoding: $0, as: UTF8.self), keepsTags: keepsTags) }
        guard let text, let plain = GStreamer.Buffer(Array(text.utf8)) else { return nil }
        plain.writableView.copyFlagsAndTimes(of: buffer)
        return plain
    }

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
