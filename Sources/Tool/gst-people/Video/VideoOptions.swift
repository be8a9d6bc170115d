import CommandKit
import MediaFiles
import Studio

/// Amount and form of what is printed.
enum Verbosity {
    case normal, quiet, json
}

/// The options of the commands that write videos and images.
struct VideoOptions {
    /// Whether images are made, not videos.
    let isPhoto: Bool
    var quality: String
    var compositing = Compositing()
    /// The shape of the crop; nil for the whole image.
    var autoCrop: AspectRatio?
    /// The person who is kept; nil for everybody.
    var keptPerson: KeptPerson?
    var framing = FramingOptions()
    /// Bits of each sample; nil for as many as the video needs.
    var depth: BitDepth?
    var encoding = EncodingOptions()
    var range = VideoRange()
    var segments = SegmentOptions()
    var overwrites = false
    /// Images a second, where an image sequence is the input.
    var sequenceRate = Rational(25, 1)
    /// Kind of video on the standard output.
    var streamFormat = Container.mkv
    /// Whether damaged inputs are processed as far as they can be read.
    var acceptsDamage = false
    /// A turn of what is read.
    var turn = PictureTurn()
    var verbosity = Verbosity.normal

    init(isPhoto: Bool, quality: String) { (self.isPhoto, self.quality) = (isPhoto, quality) }

    var isTransparent: Bool { compositing.background == .transparent }

    /// The option of commands that make images only.
    static var autoCropOption: Option<VideoOptions> {
        Option(
            "auto-crop", .text("W:H"),
            "crop to the main subjects at this aspect ratio; keeps the background if no other option is given"
        ) { (options: inout VideoOptions, text: String) throws(ToolError) in
            options.autoCrop = try AspectRatio(text)
        }
    }

    /// - Parameter quality: the level unless another is given.
    static func table(quality: String) -> [Option<VideoOptions>] {
        [Preset.option(\.compositing, \.quality)]
            + Compositing.options(Background.options + [Background.transparentOption]).map {
                $0.inside(\.compositing)
            } + PictureTurn.options.map { $0.inside(\.turn) } + [
                .choice(
                    "quality", ["fast", "balanced", "accurate"],
                    "speed or detail of the mask (default: \(quality))", \.quality),
                .flag(
                    "damaged", "process what can be read of a damaged or truncated input", \.acceptsDamage),
                .flag("force", "overwrite existing files", \.overwrites),
                .flag("quiet", "print errors only", \.verbosity, to: .quiet),
                .flag("json", "print one JSON object per line", \.verbosity, to: .json),
            ]
    }
}

extension VideoOptions {
    /// Whether the output can be of that kind.
    func allows(_ format: OutputFormat) -> Bool {
        switch format {
        case .still(let kind): isPhoto && (kind != .jpeg || !isTransparent)
        case .video(let container): !isPhoto && (container.hasAlpha || !isTransparent)
        }
    }

    /// The kind of file that a path names; nil for other names.
    func format(ofOutput path: String) -> OutputFormat? {
        path == "-" && !isPhoto ? .video(streamFormat) : OutputFormat(path: path, isPhoto: isPhoto)
    }

    /// The endings of names that can be written, the usual one first.
    var endings: [String] {
        switch (isPhoto, isTransparent) {
        case (true, true): [".png", ".webp"]
        case (true, false): [".png", ".jpg", ".webp"]
        case (false, true): [".mov", ".webm", ".apng", "%05d.png"]
        case (false, false):
            [".mp4", ".mov", ".mkv", ".webm", ".apng", ".gif", ".y4m", "%05d.png", "%05d.jpg"]
        }
    }
}
