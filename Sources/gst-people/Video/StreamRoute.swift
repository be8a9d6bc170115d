import GStreamerKit

/// How a stream that the decoder gives is processed.
enum StreamRoute: Equatable {
    /// Frames to be composed and encoded.
    case compose
    /// Audio that is written as it is, through this parser, which may only change its framing.
    case passThrough(parser: String?)
    /// Decoded audio to be encoded again.
    case encode
    /// Subtitles that are written as plain text, or as they are, through this parser.
    case subtitle(parser: String?)
    case drop

    /// - Parameters:
    ///   - muxer: what writes the output; nil for an image.
    ///   - hasVideo: whether there was a video stream before this one.
    init(caps: GStreamer.Caps, muxer: Muxer?, hasVideo: Bool) {
        let type = caps.mediaType
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

    /// What a decodebin is to give: raw video, and audio as the file holds it if the muxer takes it so.
    static func decoderCaps(for muxer: GStreamer.Element?) -> GStreamer.Caps? {
        var caps = GStreamer.Caps("video/x-raw; audio/x-raw; \(subtitles.joined(separator: "; "))")
        if let audio = muxer.flatMap(audioCaps) { caps?.append(audio) }
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

    /// Whether a muxer takes audio as it is.
    static func passes(_ caps: GStreamer.Caps, _ muxer: GStreamer.Element) -> Bool {
        audioCaps(of: muxer)?.canIntersect(caps) ?? false
    }

    /// The audio that the muxer takes in some framing, which a parser can give.
    private static func audioCaps(of muxer: GStreamer.Element) -> GStreamer.Caps? {
        var caps = muxer.caps(ofTemplate: "audio_%u")
        caps?.removeFields("stream-format")
        return caps
    }

    /// The parser that gives a muxer the framing and the headers that it needs.
    private static func parser(for caps: GStreamer.Caps) -> String? {
        switch caps.mediaType {
        case "audio/mpeg":
            return caps.fields?.int("mpegversion") == 1 ? "mpegaudioparse" : "aacparse"
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
