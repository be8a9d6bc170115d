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
    case png, jpeg

    init?(suffix: String) {
        switch suffix {
        case "png": self = .png
        case "jpg", "jpeg": self = .jpeg
        default: return nil
        }
    }

    func encoder(transparent: Bool) -> String {
        switch self {
        case .png where transparent: "videoconvert ! video/x-raw,format=RGBA ! pngenc snapshot=true"
        case .png: "pngenc snapshot=true"
        case .jpeg: "jpegenc snapshot=true quality=95"
        }
    }
}

/// Kinds of videos that can be written, by the extension of their names.
enum Container: String {
    case mp4, mov, mkv, webm

    var muxer: String {
        switch self {
        case .mp4: "mp4mux"
        case .mov: "qtmux"
        case .mkv: "matroskamux"
        case .webm: "webmmux"
        }
    }

    /// Ways to encode frames, best first.
    ///
    /// - Parameters:
    ///   - depth: of the frames; transparent ones have their own.
    ///   - transparent: whether its alpha must be kept, which is for `mov` only.
    func videoEncoders(_ depth: BitDepth, transparent: Bool) -> [String] {
        switch (self, depth) {
        case (.mov, .eight) where transparent: [Self.proRes, Self.png]
        case (.mov, .ten) where transparent: [Self.proRes]
        case (.mp4, .eight), (.mov, .eight), (.mkv, .eight): [Self.h264]
        case (.mp4, .ten), (.mov, .ten), (.mkv, .ten): [Self.hevc]
        case (.webm, .eight): [Self.vp9, Self.vp8]
        case (.webm, .ten): [Self.vp9 + " ! capsfilter caps=\"video/x-vp9,profile=(string)2\""]
        }
    }

    /// Ways to encode audio that cannot pass through, best first.
    var audioEncoders: [AudioEncoder] {
        switch self {
        case .mp4, .mov:
            [
                AudioEncoder(chain: "avenc_aac bitrate=192000 ! aacparse", delay: 1024),
                AudioEncoder(chain: "voaacenc bitrate=192000 ! aacparse", delay: 1600),
            ]
        case .mkv, .webm: [AudioEncoder(chain: "opusenc bitrate=160000", delay: 0)]
        }
    }

    /// H.264 and HEVC with subsampled chroma have no odd sizes.
    func needsEvenSize(transparent: Bool) -> Bool { self != .webm && !transparent }

    /// Whether the muxer keeps times in ticks of a clock that each track chooses.
    var hasTrackTimescale: Bool { self == .mp4 || self == .mov }

    // Constant quality: without a buffer model, which would cap the rate at the encoder's default.
    private static let h264 =
        "x264enc name=encoder pass=qual quantizer=20 speed-preset=medium vbv-buf-capacity=0 "
        + "! capsfilter caps=video/x-h264,profile=high"

    // Closed groups of pictures: each can be played by itself, and segments joined. The encoder writes the caps' mastering
    // display and light levels into the stream, and containers keep the stream's headers as codec data.
    private static let hevc =
        "x265enc name=encoder speed-preset=medium log-level=error option-string=crf=20:open-gop=0 "
        + "! video/x-h265,profile=main-10 ! h265parse name=parser ! capsfilter caps=video/x-h265,stream-format=hvc1,alignment=au"

    /// ProRes 4444, whose alpha has 16 bits.
    private static let proRes =
        "videoconvert ! video/x-raw,format=A444_10LE ! avenc_prores_ks name=encoder ! capsfilter caps=\"video/x-prores,variant=(string)4444\""
    /// Larger, and for machines without libav.
    private static let png =
        "videoconvert ! video/x-raw,format=RGBA ! pngenc name=encoder snapshot=false"

    // The fine timebase keeps variable frame rates; the high bitrate leaves the choice to cq-level.
    private static let vpx =
        "name=encoder end-usage=cq target-bitrate=100000000 timebase=1/90000 lag-in-frames=16 "
        + "auto-alt-ref=true keyframe-max-dist=240 "
    private static let vp9 = "vp9enc \(vpx) cq-level=26 cpu-used=4 row-mt=true tile-columns=2"
    private static let vp8 = "vp8enc \(vpx) cq-level=14 cpu-used=2"
}

/// A way to encode audio.
struct AudioEncoder {
    /// A pipeline description, without queues and converters.
    let chain: String
    /// Samples by which the decoded audio comes late, beyond what the stream itself declares; measured.
    let delay: Int
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

    /// GStreamer's format with alpha that loses nothing of such frames.
    var pixelsWithAlpha: String {
        switch self {
        case .eight: "RGBA"
        case .ten: "RGBA64_LE"
        }
    }
}
