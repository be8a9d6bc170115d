import CommandKit

/// The options of the commands for cameras.
struct LiveOptions {
    /// The camera's device, or its name in PipeWire; nil for the first camera.
    var camera: String?
    /// One of the camera's sizes; nil for the one nearest to 1280x720.
    var size: (width: Int, height: Int)?
    var quality = "fast"
    var turn = CameraTurn()
    /// Whether the packaged clip replaces the camera.
    var usesStandIn = false
    /// Whether the terminal is asked for a replacement of a missing camera, or told about one.
    var mayAsk = true
    /// A video that replaces the camera, played in a loop.
    var video: String?
    var compositing = Compositing()
    var framing = FramingOptions()
    /// Elements that replace the camera's; they must not end in caps.
    var source: String?
    /// Elements that receive the frames.
    var sink: String?

    /// The compositing with the default background if no option chooses one.
    var wholeCompositing: Compositing {
        guard !compositing.hasBackground else { return compositing }
        guard let forest = SampleMedia.forest else { return compositing.blurred(40) }
        return compositing.over(.picture(forest))
    }

    static var table: [Option<LiveOptions>] {
        [
            Option(
                "camera", .file("/dev/videoN"),
                "camera device, or name of a PipeWire camera (default: the first)"
            ) {
                (options: inout LiveOptions, text: String) throws(ToolError) in options.camera = text
            },
            Option(
                "size", .text("WxH"),
                "frame size, one of the camera's (default: nearest to 1280x720); any size for the clip"
            ) {
                (options: inout LiveOptions, text: String) throws(ToolError) in
                options.size = try LiveOptions.size(text)
            },
            .choice(
                "quality", ["fast", "balanced", "accurate"], "speed or detail of the mask (default: fast)",
                \.quality),
            FramingOptions.framing.inside(\.framing), last,
        ] + CameraTurn.options.map { $0.inside(\.turn) } + [
            .flag("stand-in", "use the packaged clip instead of a camera", \.usesStandIn),
            Option(
                "source", .text("ELEMENTS"), "for tests: elements that replace the camera"
            ) {
                (options: inout LiveOptions, text: String) throws(ToolError) in options.source = text
            },
            Option(
                "sink", .text("ELEMENTS"), "for tests: elements that receive the frames; the clip plays once"
            ) {
                (options: inout LiveOptions, text: String) throws(ToolError) in options.sink = text
            },
        ]
    }

    /// Parses a size such as `1280x720`.
    static func size(_ text: String) throws(ToolError) -> (width: Int, height: Int) {
        let numbers = text.split(separator: "x", omittingEmptySubsequences: false).compactMap { Int($0) }
        guard numbers.count == 2, numbers.allSatisfy({ (1...99999).contains($0) }) else {
            throw .usage("--size takes a size such as 1280x720, not \(text)")
        }
        return (numbers[0], numbers[1])
    }
}

/// A turn of a camera's frames before all other processing, which makes people upright for the models: a
/// rotation, then a flip.
struct CameraTurn {
    /// Clockwise rotation in degrees: 0, 90, 180 or 270.
    private var rotation = "0"
    /// The flip: `none`, `horizontal` or `vertical`.
    private var flip = "none"

    static var options: [Option<CameraTurn>] {
        [
            .choice(
                "rotate", ["90", "180", "270"], "rotate the camera's frames clockwise, in degrees", \.rotation
            ),
            .choice(
                "flip", ["horizontal", "vertical"],
                "flip the camera's frames, after a rotation; horizontal: as a mirror does", \.flip),
        ]
    }

    // MARK: - Mirroring

    /// Whether frames are mirrored horizontally.
    var isMirrored: Bool {
        get { flip == "horizontal" }
        set { self = mirrored(newValue) }
    }

    /// Returns this turn with or without a horizontal mirroring; a vertical flip stays.
    func mirrored(_ isMirrored: Bool) -> CameraTurn {
        var turn = self
        if flip != "vertical" {
            turn.flip = isMirrored ? "horizontal" : "none"
        } else if isMirrored {
            // Both flips together are a rotation by 180 degrees.
            turn.rotation = "\((quarters + 2) % 4 * 90)"
            turn.flip = "none"
        }
        return turn
    }

    // MARK: - In words

    /// The turn in the words of GStreamer's `videoflip`.
    var direction: String {
        switch flip {
        case "horizontal": ["horiz", "ul-lr", "vert", "ur-ll"][quarters]
        case "vertical": ["vert", "ur-ll", "horiz", "ul-lr"][quarters]
        default: ["identity", "90r", "180", "90l"][quarters]
        }
    }

    private var quarters: Int { (Int(rotation) ?? 0) / 90 % 4 }

    /// Whether frames stay as they are.
    var isNone: Bool { direction == "identity" }

    /// The element that turns frames, before others, as a part of a pipeline description.
    var elements: String { isNone ? "" : "videoflip video-direction=\(direction) ! " }

    /// The options for this turn.
    var words: [String] {
        (quarters == 0 ? [] : ["--rotate=\(rotation)"]) + (flip == "none" ? [] : ["--flip=\(flip)"])
    }
}
