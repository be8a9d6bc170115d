import CommandKit
import GStreamerKit
import Studio

/// `gst-people webcam`: a camera's frames in a window.
struct WebcamCommand: Command {
    static let name = "webcam"
    static let summary = "show a camera with the background replaced"
    static let arguments = ""
    static let details = """
        Raw frames are used if the camera delivers at least 24 of them per second, otherwise
        JPEG. Frames per second and latency are printed. The background is a forest
        unless an option says otherwise.
        """
    static var options: [Option<Self>] {
        [Preset.option(\.live.compositing, \.live.quality, \.live.turn.isMirrored)]
            + (Compositing.options() + EffectOption.window.map(\.command)).map {
                $0.inside(\.live.compositing)
            }
            + LiveOptions.table.map { $0.inside(\.live) }
    }

    private var live = LiveOptions()

    func run(_ arguments: [String]) throws(ToolError) -> Int32 {
        guard arguments.isEmpty else { throw .usage("this command takes no arguments, only options") }
        GStreamer.initialize()
        let sink = try screen(live)
        let player = try LivePlayer(live, live.wholeCompositing, then: "videoconvert name=out ! \(sink)")
        live.remember()
        return try player.run()
    }
}
