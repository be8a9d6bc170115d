/// What the extension of the output's name asks for.
enum OutputFormat: Equatable {
    case video(Container)
    case still(StillFormat)

    init?(path: String) {
        let name = path.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
        let suffix = name[name.index(after: dot)...].lowercased()
        if let container = Container(rawValue: suffix) {
            self = .video(container)
        } else if let still = StillFormat(suffix: suffix) {
            self = .still(still)
        } else {
            return nil
        }
    }
}

/// Kinds of images that can be written.
enum StillFormat {
    case png, jpeg, webp

    init?(suffix: String) {
        switch suffix {
        case "png": self = .png
        case "webp": self = .webp
        case "jpg", "jpeg": self = .jpeg
        default: return nil
        }
    }
}

/// Kinds of videos that can be written, by the extension of their names.
enum Container: String {
    case mp4, mov, mkv, webm

    /// H.264 and HEVC with subsampled chroma have no odd sizes.
    func needsEvenSize(transparent: Bool) -> Bool { self != .webm && !transparent }

    /// Whether the muxer keeps times in ticks of a clock that each track chooses.
    var hasTrackTimescale: Bool { self == .mp4 || self == .mov }
}

/// Bits of each sample of a video's frames.
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

    /// ffmpeg's name of the same format.
    var libavPixels: String {
        switch self {
        case .eight: "yuv420p"
        case .ten: "yuv420p10le"
        }
    }
}
