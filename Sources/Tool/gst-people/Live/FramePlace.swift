import CommandKit
import GStreamerKit
import Synchronization

/// The point in a player's chain at which frames of another pipeline enter: an `appsrc`.
final class FramePlace: Sendable {
    private let source: GStreamer.AppSource
    /// The pipeline of the chain.
    private let player: GStreamer.Element
    /// The running time of the last frame.
    private let last = Mutex<UInt64>(0)

    /// Makes the place of an `appsrc`.
    ///
    /// - Parameters:
    ///   - name: name of the `appsrc` in `chain`.
    ///   - player: pipeline of the chain.
    init(_ chain: GStreamer.Element, _ name: String, of player: GStreamer.Element) throws(ToolError) {
        guard let source = GStreamer.AppSource(chain.element(named: name)) else {
            throw ToolError(.failed, "GStreamer could not make the pipeline.")
        }
        (self.source, self.player) = (source, player)
    }

    /// Returns the `appsrc` as a pipeline description; it keeps only the newest frame for the analysis.
    static func elements(_ name: String) -> String {
        "appsrc name=\(name) is-live=true format=time max-buffers=1 max-bytes=0 max-time=0 "
            + "leaky-type=downstream"
    }

    /// Passes a frame to the player; may be called on any thread.
    ///
    /// - Parameter taken: time of the clock at which the frame was taken, in nanoseconds; nil for now.
    /// - Returns: the frame's running time in nanoseconds; nil for a sample without a frame.
    @discardableResult
    func push(_ frame: GStreamer.Sample, taken: UInt64? = nil) -> UInt64? {
        guard let caps = frame.caps, let buffer = frame.buffer?.part(from: 0) else { return nil }
        buffer.writableView.setDecodingTime(nil)
        let (time, base) = (taken ?? player.clockTime ?? 0, player.baseTime)
        return last.withLock { last in
            // Covered frames may come in between.
            last = max(time > base ? time - base : 0, last + 1)
            buffer.writableView.setPresentationTime(last)
            if let frame = GStreamer.Sample(buffer, caps) { source.push(frame) }
            return last
        }
    }

    func endStream() { source.endStream() }

    /// Sets the latency of the source, in nanoseconds.
    func setLatency(_ latency: UInt64) { source.element.set("min-latency", parsing: "\(latency)") }
}
