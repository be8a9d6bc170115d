import CGStreamer

/// What becomes of a stream of the input.
enum Route: Equatable {
    /// Decoded, composed and encoded.
    case compose
    /// Its packets are written as they are, through this parser, which may only change their framing.
    case passThrough(parser: String?)
    /// Decoded and encoded anew.
    case reencode
    case drop

    /// - Parameters:
    ///   - caps: of the stream as the file holds it.
    ///   - muxer: what writes the output; nil for a picture.
    ///   - hasVideo: whether there was a video stream before this one.
    init(caps: Caps, muxer: Element?, hasVideo: Bool) {
        switch mediaType(of: caps).prefix(6) {
        case "video/", "image/": self = hasVideo ? .drop : .compose
        case "audio/": self = muxer.map { Route(sound: caps, muxer: $0) } ?? .drop
        default: self = .drop
        }
    }

    private init(sound caps: Caps, muxer: Element) {
        self = muxerTakes(caps, muxer) ? .passThrough(parser: parser(for: caps)) : .reencode
    }
}

/// The name of a stream's caps: `audio/mpeg`.
func mediaType(of caps: Caps) -> String {
    gst_caps_get_structure(caps, 0).flatMap { gst_structure_get_name($0) }.map { String(cString: $0) } ?? ""
}

/// Whether the muxer takes this sound, in some framing that a parser can give.
private func muxerTakes(_ caps: Caps, _ muxer: Element) -> Bool {
    guard let template = gst_element_get_pad_template(muxer, "audio_%u"), let copy = gst_caps_copy(caps)
    else { return false }
    defer { gst_caps_unref(copy) }
    let structure = gst_caps_get_structure(copy, 0)
    for field in ["framed", "parsed", "stream-format", "alignment"] {
        gst_structure_remove_field(structure, field)
    }
    let taken = gst_pad_template_get_caps(template)
    defer { gst_caps_unref(taken) }
    return gst_caps_can_intersect(copy, taken) != 0
}

/// The parser that gives a muxer the framing that it wants.
private func parser(for caps: Caps) -> String? {
    switch mediaType(of: caps) {
    case "audio/mpeg":
        var version: gint = 0
        gst_structure_get_int(gst_caps_get_structure(caps, 0), "mpegversion", &version)
        return version == 1 ? "mpegaudioparse" : "aacparse"
    case "audio/x-ac3", "audio/x-eac3": return "ac3parse"
    case "audio/x-flac": return "flacparse"
    case "audio/x-dts": return "dcaparse"
    default: return nil
    }
}
