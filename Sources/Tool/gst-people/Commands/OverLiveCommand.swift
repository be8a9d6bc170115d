import CommandKit
import GStreamerKit

/// `gst-people over-live URI`: a camera's people in front of another live stream.
struct OverLiveCommand: Command {
    static let name = "over-live"
    static let summary = "show the people of a camera in front of another live stream"
    static let arguments = "URI"
    static let details = """
        URI is the stream behind the people: rtsp://, http://, file:// and others. It is scaled to
        the size of the camera's frames.
        """
    static var options: [Option<Self>] {
        EffectOption.overlay.map { $0.command.inside(\.live.compositing) }
            + LiveOptions.table.map { $0.inside(\.live) }
    }

    private var live = LiveOptions()

    func run(_ arguments: [String]) throws(ToolError) -> Int32 {
        guard let uri = arguments.first, arguments.count == 1 else { throw .usage("give one URI") }
        GStreamer.initialize()
        let sink = try screen(live)
        let compositing = live.compositing.over(.transparent)
        let player = try LivePlayer(live, compositing, then: Self.elements(sink), stream: uri)
        let overlay = StreamOverlay(player)
        defer { withExtendedLifetime(overlay) {} }
        return try player.run()
    }

    private static func elements(_ sink: String) -> String {
        let newest = LiveSource.newest
        return
            "\(newest) ! over.sink_1 \(FramePlace.elements("stream")) ! videoconvert ! over.sink_0 "
            + "compositor name=over background=black sink_0::zorder=0 sink_1::zorder=1 ! \(newest) "
            + "! videoconvert name=out ! \(sink)"
    }
}
