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
                "source", .text("ELEMENTS"),
                "for tests: elements that replace the camera; without caps at the end"
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
