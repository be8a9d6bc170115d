import CGStreamer
import Synchronization

/// Gives times to packets of sound that have none.
///
/// The demuxer of transport streams knows no times of what lies before the stream's clock (PCR), and plays from the first time
/// on; the muxers of MP4 take no packet without a time.
final class UntimedPackets: Sendable {
    private struct State {
        /// When the last packet ends, in nanoseconds.
        var end: GstClockTime?
        var lost: GstClockTime = 0
    }

    private let state = Mutex(State())

    /// How much was left out at the beginning, in seconds.
    var lostSeconds: Double { Double(state.withLock { $0.lost }) / 1e9 }

    /// - Parameter pad: where packets of known durations leave.
    func install(on pad: Pad) {
        onProbe(pad, GST_PAD_PROBE_TYPE_BUFFER) { [self] in pass($0) }
    }

    private func pass(_ info: UnsafeMutablePointer<GstPadProbeInfo>) -> GstPadProbeReturn {
        guard let packet = info.pointee.data?.assumingMemoryBound(to: GstBuffer.self).pointee else {
            return GST_PAD_PROBE_OK
        }
        let (time, duration) = (packet.pts, packet.duration == .max ? 0 : packet.duration)
        let start = state.withLock { state -> GstClockTime? in
            guard let start = time == .max ? state.end : time else {
                state.lost &+= duration
                return nil
            }
            state.end = start &+ duration
            return start
        }
        guard let start else { return GST_PAD_PROBE_DROP }
        if time == .max { writableBuffer(of: info)?.pointee.pts = start }
        return GST_PAD_PROBE_OK
    }
}
