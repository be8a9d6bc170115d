import CommandKit
import GStreamerKit
import Studio

/// `gst-people virtual-camera`: a camera for other programs.
struct VirtualCameraCommand: Command {
    static let name = "virtual-camera"
    static let summary = "provide a virtual camera with the background replaced"
    static let arguments = ""
    static let details = """
        Zoom, Meet, OBS and browsers see a v4l2loopback device as a camera. If there is none, the
        camera is provided by PipeWire, without a kernel module: OBS sees it, and so do browsers
        and Flatpaks that ask the camera portal. If PipeWire does not run either, the message says
        how to create a device. The background is a forest unless an option says otherwise.
        """
    static var options: [Option<Self>] {
        [Preset.option(\.live.compositing, \.live.quality, \.live.turn.isMirrored)]
            + Compositing.options().map { $0.inside(\.live.compositing) }
            + LiveOptions.table.map { $0.inside(\.live) } + [
                Option(
                    "device", .file("/dev/videoN"),
                    "virtual camera to write to (default: the first)"
                ) {
                    (command: inout Self, text: String) throws(ToolError) in command.place = .device(text)
                },
                Option("pipewire", .none, "provide a PipeWire camera even if there is a v4l2loopback device")
                {
                    (command: inout Self, _: String) throws(ToolError) in command.place = .pipeWire
                },
                .choice(
                    "format", ["YUY2", "I420"], "pixel format for other programs (default: YUY2)", \.format),
            ]
    }

    private var live = LiveOptions()
    private var place = VirtualCamera.Place.any
    private var format = "YUY2"

    func run(_ arguments: [String]) throws(ToolError) -> Int32 {
        guard arguments.isEmpty else { throw .usage("this command takes no arguments, only options") }
        GStreamer.initialize()
        let sink =
            if let elements = live.sink { VirtualCamera.Sink.elements(elements) } else {
                try VirtualCamera.sink(at: place)
            }
        // Other programs expect one plain format, square pixels, whole frames and a constant size.
        let fixed = "video/x-raw,format=\(format),pixel-aspect-ratio=1/1,interlace-mode=progressive"
        return try player("videoconvert ! videoscale ! capsfilter caps=\(fixed) name=out", sink).run()
    }

    private func player(_ elements: String, _ sink: VirtualCamera.Sink) throws(ToolError) -> LivePlayer {
        switch sink {
        case .elements(let sink):
            return try LivePlayer(live, live.wholeCompositing, then: "\(elements) ! \(sink)")
        case .feed(let sink):
            let player = try LivePlayer(
                live, live.wholeCompositing, then: "\(elements) ! \(VirtualCamera.copies) name=feed")
            player.feed = try CameraFeed(player.chain, sink)
            return player
        }
    }
}
