import CommandKit
import GStreamerKit
import Glibc
import Studio

/// `gst-people studio`: a camera in the browser, beside all its settings.
struct StudioCommand: Command {
    static let name = "studio"
    static let summary = "set up a camera or video in the browser, or lift subjects out of photos by hand"
    static let arguments = "[VIDEO | PHOTO...]"
    static let details = """
        Opens a page in the browser: the live picture, and beside it the settings. VIDEO is played
        in a loop instead of a camera. What is set can be saved as a preset, which other commands
        take with --preset, and copied as a command line.

        With photos, or folders of photos, the page shows these instead, and no camera is opened
        before the page asks for it: a click on a person or subject lifts it out. Photos that are
        dropped onto the page are kept in memory only.

        Only this machine reaches the page, and only with the address that is printed, which opens it
        once; then another one is printed. The room behind the people is shown sharp only with
        --show-original: without it blur is 30 or more, and the mask's settings keep to limits.
        """
    static var options: [Option<Self>] {
        [Preset.option(\.live.compositing, \.live.quality, \.live.turn.isMirrored)]
            + Compositing.options().map { $0.inside(\.live.compositing) }
            + LiveOptions.table.filter { !["sink", "last"].contains($0.name) }.map { $0.inside(\.live) } + [
                .integer("port", "N", in: 0...65535, "port of the page (default: any that is free)", \.port),
                Option(
                    "backgrounds", .file("DIR"), "pictures and clips that the page offers; uploads go there"
                ) {
                    (command: inout Self, text: String) throws(ToolError) in command.folder = text
                },
                Option("recordings", .file("DIR"), "where recordings go (default: the current folder)") {
                    (command: inout Self, text: String) throws(ToolError) in command.recordings = text
                },
                Option(
                    "microphone", .text("NAME"),
                    "microphone whose sound recordings have, as the page names it, or none (default: the usual one)"
                ) {
                    (command: inout Self, text: String) throws(ToolError) in
                    command.microphones.name = text == "none" ? "" : text
                },
                Option(
                    "sound", .text("ELEMENTS"), "for tests: elements that replace the microphones"
                ) {
                    (command: inout Self, text: String) throws(ToolError) in command.microphones.stand = text
                },
                Option("device", .file("/dev/videoN"), "virtual camera to write to (default: the first)") {
                    (command: inout Self, text: String) throws(ToolError) in command.place = .device(text)
                },
                .flag("show-original", "let the page show what the camera sees", \.showsOriginal),
                .flag("no-browser", "only print the address of the page", \.leavesBrowser),
                .flag("exit-with-page", "end when the last page is closed", \.exitsWithPage),
            ]
    }

    private var live = Self.unmeasured
    private static let unmeasured: LiveOptions = {
        var options = LiveOptions()
        options.quality = measured
        return options
    }()
    /// The quality that stands for that which the machine reaches, until it has been measured.
    private static let measured = "auto"
    private var port = 0
    private var folder: String?
    private var recordings = "."
    private var microphones = StudioMicrophones()
    private var place = VirtualCamera.Place.any
    private var showsOriginal = false
    private var exitsWithPage = false
    private var leavesBrowser = false

    func run(_ arguments: [String]) throws(ToolError) -> Int32 {
        let photos = try StudioPhotos.paths(arguments)
        try Self.checkPort(UInt16(clamping: port))
        GStreamer.initialize()
        var live = live
        remember(&live, isCamera: arguments.isEmpty)
        let choosesQuality = live.quality == Self.measured
        if choosesQuality { live.quality = "fast" }
        if photos == nil { live.video = arguments.first }
        let settings = StudioSettings(live)
        let outputs = StudioOutputs(place: place, folder: recordings, microphones)
        let session = StudioSession(
            live, settings, outputs, isLive: photos == nil, showsOriginal: showsOriginal,
            choosesQuality: choosesQuality, prefersOffered: self.live.camera == nil)
        var backgrounds = Backgrounds(folder: folder, first: settings[.background] ?? SampleMedia.forest)
        for path in SampleMedia.backgrounds {
            guard let name = path.split(separator: "/").last, backgrounds.path(String(name)) == nil else {
                continue
            }
            backgrounds.offer(path)
        }
        return try session.run(
            backgrounds, photos: photos ?? [], port: UInt16(clamping: port), exitsWithPage: exitsWithPage,
            opensBrowser: !leavesBrowser && Browser.isAvailable)
    }

    /// Goes on with the camera and the preset of last time, where the command line chooses none.
    ///
    /// - Parameter isCamera: whether no video or photo is given.
    private func remember(_ live: inout LiveOptions, isCamera: Bool) {
        let last = LastUsed()
        if isCamera, live.source == nil, !live.usesStandIn { live.take(last) }
        if live.compositing.isUntouched {
            let (plain, quality) = (live, live.quality)
            live.takePreset(of: last)
            if !showsOriginal, let fault = live.compositing.preset.roomFault {
                printDiagnostic("the preset of last time is not used: \(fault)")
                live = plain
            }
            if self.live.quality != Self.measured { live.quality = quality }
        }
        live.remember()
    }

    /// Throws for a port that only root may use, which the server could not distinguish from a taken port.
    private static func checkPort(_ port: UInt16) throws(ToolError) {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard listener >= 0 else { return }
        defer { close(listener) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        (address.sin_port, address.sin_addr.s_addr) = (port.bigEndian, UInt32(0x7f00_0001).bigEndian)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result != 0, errno == EACCES else { return }
        throw ToolError(
            .failed,
            "Port \(port) is for root: the kernel keeps small ones. Give another with --port, such as 8973.")
    }
}
