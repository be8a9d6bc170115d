import CommandKit
import GStreamerKit
import Studio

/// `gst-people studio`: a camera in the browser, with all settings beside it.
struct StudioCommand: Command {
    static let name = "studio"
    static let summary = "set up a camera or video in the browser, and keep the settings"
    static let arguments = "[VIDEO]"
    static let details = """
        Prints an address that a browser on this machine opens: the live picture, and beside it
        the settings. VIDEO is played in a loop instead of a camera. What is set can be saved as a
        preset, which other commands take with --preset, and copied as a command line.

        Only this machine reaches the page, and only with the token of the address. What the camera
        sees without the mask is shown only with --show-original.
        """
    static var options: [Option<Self>] {
        [Preset.option(\.live.compositing, \.live.quality, \.live.isMirrored)]
            + Compositing.options().map { $0.inside(\.live.compositing) }
            + LiveOptions.table.filter { $0.name != "sink" }.map { $0.inside(\.live) } + [
                .integer("port", "N", in: 0...65535, "port of the page (default: any that is free)", \.port),
                Option(
                    "backgrounds", .file("DIR"), "pictures and clips that the page offers; uploads go there"
                ) {
                    (command: inout Self, text: String) throws(ToolError) in command.folder = text
                },
                Option("recordings", .file("DIR"), "where recordings go (default: the current folder)") {
                    (command: inout Self, text: String) throws(ToolError) in command.recordings = text
                },
                Option("device", .file("/dev/videoN"), "virtual camera to write to (default: the first)") {
                    (command: inout Self, text: String) throws(ToolError) in command.place = .device(text)
                },
                .flag("show-original", "let the page show what the camera sees", \.showsOriginal),
                .flag("exit-with-page", "end when the last page is closed", \.exitsWithPage),
            ]
    }

    private var live = LiveOptions()
    private var port = 0
    private var folder: String?
    private var recordings = "."
    private var place = VirtualCamera.Place.any
    private var showsOriginal = false
    private var exitsWithPage = false

    func run(_ arguments: [String]) throws(ToolError) -> Int32 {
        guard arguments.count < 2 else { throw .usage("give one video at most") }
        GStreamer.initialize()
        var live = live
        live.video = arguments.first
        let settings = StudioSettings(live)
        let session = StudioSession(live, settings, StudioOutputs(place: place, folder: recordings))
        let backgrounds = Backgrounds(folder: folder, first: settings[.background] ?? Checkout.forest)
        return try session.run(
            backgrounds, port: UInt16(clamping: port), showsOriginal: showsOriginal,
            exitsWithPage: exitsWithPage)
    }
}
