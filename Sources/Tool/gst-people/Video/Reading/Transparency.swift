import MediaFiles

extension MediaDescription.Stream {
    /// Whether frames may be transparent.
    var hasAlpha: Bool {
        let formats = [
            "yuva", "rgba", "bgra", "argb", "abgr", "gbrap", "ya8", "ya16", "pal8", "ayuv", "vuya",
        ]
        return alphaDecoder != nil || formats.contains(where: video.pixelFormat.hasPrefix)
    }

    /// ffmpeg's arguments for a decoder that gives transparency.
    var decoderArguments: [String] { alphaDecoder.map { ["-c:v", $0] } ?? [] }

    /// ffmpeg's decoder, where the usual one leaves out transparency; nil for the usual one.
    private var alphaDecoder: String? {
        guard tags["alpha_mode"] == "1" else { return nil }
        return switch codec {
        case "vp8": "libvpx"
        case "vp9": "libvpx-vp9"
        default: nil
        }
    }

    /// ffmpeg's filters that make transparent parts black: the colours below erased pixels must not become visible.
    ///
    /// - Parameter isDeep: whether samples have more than 8 bits.
    func erasingFilters(isDeep: Bool) -> [String] {
        hasAlpha ? ["format=\(isDeep ? "gbrap10le" : "gbrap")", "premultiply=inplace=1"] : []
    }
}
