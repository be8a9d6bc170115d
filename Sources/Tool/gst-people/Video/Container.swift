/// Container of a video, by the extension of the output's name.
enum OutputFormat: Equatable {
    case video(Container)
    case still(StillFormat)

    /// - Parameter isPhoto: whether one image is made.
    init?(path: String, isPhoto: Bool) {
        let name = path.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
        let suffix = name[name.index(after: dot)...].lowercased()
        if isPhoto {
            guard let still = StillFormat(suffix: suffix) else { return nil }
            self = .still(still)
        } else {
            guard let container = Container(rawValue: suffix) else { return nil }
            guard container.isImageSequence == (ImageSequence(path) != nil) else { return nil }
            self = .video(container)
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
    /// YUV4MPEG2: raw frames.
    case y4m
    /// Animated PNG.
    case apng
    /// GIF, with a palette of its own for each frame.
    case gif
    /// A picture for each frame.
    case png, jpg

    /// H.264 and HEVC with subsampled chroma have no odd sizes.
    func needsEvenSize(transparent: Bool) -> Bool { [.mp4, .mov, .mkv].contains(self) && !transparent }

    /// Whether each frame is a file of its own.
    var isImageSequence: Bool { self == .png || self == .jpg }

    /// Whether it holds frames only: no sound, no subtitles, no tags.
    var holdsFramesOnly: Bool { [.y4m, .apng, .gif, .png, .jpg].contains(self) }

    /// Whether frames can be transparent.
    var hasAlpha: Bool { [.mov, .webm, .apng, .png].contains(self) }

    /// Whether the muxer keeps times in ticks of a clock that each track chooses.
    var hasTrackTimescale: Bool { self == .mp4 || self == .mov }

    /// Nanoseconds by which the container's clock may move a frame: Matroska has milliseconds, GIF hundredths of a second.
    var timeTolerance: UInt { self == .gif ? 10_000_000 : 1_000_000 }

    /// Whether ffmpeg's muxer keeps times in milliseconds.
    var hasMilliseconds: Bool { self == .mkv || self == .webm }
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
