import CommandKit
import GStreamerKit
import Synchronization

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

/// Scales the picture below the people to the camera's frames, and keeps the compositor from falling behind.
final class StreamOverlay: Sendable {
    private let chain: GStreamer.Element
    private let meter: LiveMeter
    private let hasSize = Mutex(false)

    /// Age above which frames give way to newer ones, as they do everywhere before the compositor, in
    /// nanoseconds.
    private static let late: Int64 = 200_000_000

    init(_ player: LivePlayer) {
        (chain, meter) = (player.chain, player.meter)
        chain.element(named: "blendmask")?.pad("src")?.onEvent { [weak self] event, _ in
            if let caps = event.caps { self?.followSize(caps) }
        }
        chain.element(named: "over")?.pad("src")?.addProbe(.buffer) { [weak self] info in
            // Frames of the compositor before the camera's first frame are dropped.
            guard let self, hasSize.withLock({ $0 }) else { return .drop }
            keepUp(info)
            return .ok
        }
    }

    /// Scales the picture below to the size of the camera's frames.
    private func followSize(_ caps: GStreamer.Caps) {
        guard let width = caps.fields?.int("width"), let height = caps.fields?.int("height") else { return }
        if let below = chain.element(named: "over")?.pad("sink_0") {
            below.set("width", parsing: "\(width)")
            below.set("height", parsing: "\(height)")
        }
        hasSize.withLock { $0 = true }
    }

    /// Reports to the compositor that it is late.
    ///
    /// The compositor makes every frame, however old, until a sink reports lateness. The sink here does not
    /// wait, and so reports nothing.
    private func keepUp(_ info: GStreamer.ProbeInfo) {
        guard let times = meter.times(info), times.delay > Self.late,
            let report = GStreamer.Event.late(by: times.delay, at: times.taken)
        else { return }
        info.pad.send(report)
    }
}
