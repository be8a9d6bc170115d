import CGStreamer

/// How a stream that the decoder gives is processed.
enum StreamRoute: Equatable {
    /// Frames to be composed and encoded.
    case compose
    /// Sound that is written as it is, through this parser, which may only change its framing.
    case passThrough(parser: String?)
    /// Decoded sound to be encoded anew.
    case encode
    /// Subtitles that are written as plain text, or as they are, through this parser.
    case subtitle(parser: String?)
    case drop

    /// - Parameters:
    ///   - muxer: what writes the output; nil for a picture.
    ///   - hasVideo: whether there was a video stream before this one.
    init(caps: Caps, muxer: Muxer?, hasVideo: Bool) {
        let type = mediaType(of: caps)
        if let muxer, let parser = Self.subtitleParser(type, muxer.container) {
            self = .subtitle(parser: parser.isEmpty ? nil : parser)
            return
        }
        if type == "video/x-raw" {
            self = hasVideo ? .drop : .compose
        } else if type.hasPrefix("audio/"), let muxer {
            self = Self.passes(caps, muxer.element) ? .passThrough(parser: Self.parser(for: caps)) : .encode
        } else {
            self = .drop
        }
    }

    /// What a decodebin is to give: raw video, and sound as the file holds it if the muxer takes it so.
    static func decoderCaps(for muxer: Element?) -> Caps? {
        guard
            let caps = gst_caps_from_string("video/x-raw; audio/x-raw; \(subtitles.joined(separator: "; "))")
        else { return nil }
        if let muxer, let sound = soundCaps(of: muxer) { gst_caps_append(caps, sound) }
        return caps
    }

    /// Kinds of streams of subtitles.
    static let subtitles = [
        "text/x-raw", "application/x-ssa", "application/x-ass", "application/x-subtitle-vtt",
        "application/ttml+xml",
        "subpicture/x-dvd", "subpicture/x-dvb", "subpicture/x-pgs",
    ]

    /// What makes text that a container takes of subtitles: the name of an element, empty where they are text.
    ///
    /// - Returns: nil for those that it cannot hold. GStreamer 1.22's `webmmux` writes SRT, which WebM does not have.
    static func subtitleParser(_ type: String, _ container: Container) -> String? {
        switch (type, container) {
        case (_, .webm): nil
        case ("text/x-raw", _): ""
        case ("application/x-ssa", .mkv), ("application/x-ass", .mkv): ""
        case ("application/x-ssa", _), ("application/x-ass", _): "ssaparse"
        default: nil
        }
    }

    /// Whether a muxer takes sound as it is.
    static func passes(_ caps: Caps, _ muxer: Element) -> Bool {
        guard let taken = soundCaps(of: muxer) else { return false }
        defer { gst_caps_unref(taken) }
        return gst_caps_can_intersect(caps, taken) != 0
    }

    /// The sound that the muxer takes in some framing, which a parser can give.
    private static func soundCaps(of muxer: Element) -> Caps? {
        guard let template = gst_element_get_pad_template(muxer, "audio_%u"),
            let caps = gst_pad_template_get_caps(template),
            let writable = people_caps_make_writable(caps)
        else { return nil }
        for index in 0..<gst_caps_get_size(writable) {
            gst_structure_remove_field(gst_caps_get_structure(writable, index), "stream-format")
        }
        return writable
    }

    /// The parser that gives a muxer the framing and the headers that it needs.
    private static func parser(for caps: Caps) -> String? {
        switch mediaType(of: caps) {
        case "audio/mpeg":
            var version: gint = 0
            gst_structure_get_int(gst_caps_get_structure(caps, 0), "mpegversion", &version)
            return version == 1 ? "mpegaudioparse" : "aacparse"
        case "audio/x-ac3", "audio/x-eac3": return "ac3parse"
        case "audio/x-flac": return "flacparse"
        case "audio/x-dts": return "dcaparse"
        case "audio/x-opus": return "opusparse"
        case "audio/x-vorbis": return "vorbisparse"
        default: return nil
        }
    }

    var isSubtitle: Bool { if case .subtitle = self { true } else { false } }
}

/// The name of a stream's caps: `audio/mpeg`.
func mediaType(of caps: Caps) -> String {
    gst_caps_get_structure(caps, 0).flatMap { gst_structure_get_name($0) }.map { String(cString: $0) } ?? ""
}
