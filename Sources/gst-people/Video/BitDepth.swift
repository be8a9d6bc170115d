/// Bits of each sample of a film's picture.
enum BitDepth: String, CaseIterable {
    case eight = "8"
    case ten = "10"

    /// GStreamer's format of frames that are stored with subsampled chroma.
    var pixels: String {
        switch self {
        case .eight: "I420"
        case .ten: "I420_10LE"
        }
    }

    /// GStreamer's format with alpha that loses nothing of such frames.
    var pixelsWithAlpha: String {
        switch self {
        case .eight: "RGBA"
        case .ten: "RGBA64_LE"
        }
    }
}
