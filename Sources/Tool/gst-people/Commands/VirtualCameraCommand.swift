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
        camera is provided by PipeWire, for programs that ask the camera portal: Flatpaks, OBS 30.2
        and later, and browsers that are set to it. The background is a forest unless an option says
        otherwise.

        With --on-demand the real camera is opened when the first program reads, and closed ten
        seconds after the last one has gone. "gst-people control" covers such a camera and changes
        its settings.
        """
    static var options: [Option<Self>] {
        camera.map { $0.recorded(in: \.words) } + [
            .flag(
                "install",
                "make a service of systemd that offers such a camera on demand in your sessions, and start it",
                \.installs),
            .flag("uninstall", "stop and remove this service", \.uninstalls),
        ]
    }

    private static var camera: [Option<Self>] {
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
                .flag(
                    "on-demand",
                    "open the real camera only while a program reads the virtual one, which is there all the time",
                    \.isOnDemand),
                .flag(
                    "warm", "with --on-demand: keep the models loaded while no program reads",
                    \.isWarm),
                .choice(
                    "format", ["YUY2", "I420"], "pixel format for other programs (default: YUY2)", \.format),
            ]
    }

    /// The words of the camera's options, for the service.
    private var words: [String] = []
    private var installs = false
    private var uninstalls = false
    private var live = LiveOptions()
    private var place = VirtualCamera.Place.any
    private var format = "YUY2"
    private var isOnDemand = false
    private var isWarm = false

    func run(_ arguments: [String]) throws(ToolError) -> Int32 {
        guard arguments.isEmpty else { throw .usage("this command takes no arguments, only options") }
        if installs {
            let options = words.filter { $0 != "--on-demand" }
            try CameraService(words: [Self.name, "--on-demand"] + options).install()
            return ExitCode.success.rawValue
        }
        if uninstalls {
            try CameraService.uninstall()
            return ExitCode.success.rawValue
        }
        GStreamer.initialize()
        let sink =
            if let elements = live.sink { VirtualCamera.Sink.elements(elements) } else {
                try VirtualCamera.sink(at: place)
            }
        // Other programs expect one plain format, square pixels, whole frames and a constant size.
        let fixed = "video/x-raw,format=\(format),pixel-aspect-ratio=1/1,interlace-mode=progressive"
        if isOnDemand {
            let name = try name(of: sink)
            let camera = try OnDemandCamera(
                live, sink, name: name, try readers(sink, name), fixed: fixed, isWarm: isWarm)
            live.remember()
            return try camera.run()
        }
        let player = try player("videoconvert ! videoscale ! capsfilter caps=\(fixed) name=out", sink)
        live.remember()
        return try player.run()
    }

    /// The device, or the name of the PipeWire node, that readers of `sink` open.
    private func name(of sink: VirtualCamera.Sink) throws(ToolError) -> String {
        if case .feed = sink { return VirtualCamera.nodeName }
        let device: String? = if case .device(let path) = place { path } else { VideoDevices.virtual.first }
        guard let device else { throw .usage("--on-demand needs the virtual camera's --device") }
        return device
    }

    /// The programs that read the virtual camera of `sink`.
    private func readers(
        _ sink: VirtualCamera.Sink, _ device: String
    ) throws(ToolError) -> any CameraReaders {
        if case .feed = sink { return try PipeWireReaders() }
        if let readers = LoopbackReaders(device) { return readers }
        return try DeviceOpenings(device)
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
