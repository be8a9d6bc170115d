import GStreamerKit
import Synchronization

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
