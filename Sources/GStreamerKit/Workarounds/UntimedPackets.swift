import Synchronization

/// Gives times to packets of audio that have none.
///
/// The demuxer of transport streams knows no times of what lies before the stream's clock (PCR), and plays from the first time
/// on; the muxers of MP4 take no packet without a time. Seen in GStreamer 1.22;
/// `AudioTests.passesAACOfATransportStreamThrough` and `keepsAudioThatStartsBeforeTheVideo` tell when it can go.
package final class UntimedPackets: Sendable {
    private struct State {
        /// When the last packet ends, in nanoseconds.
        var end: UInt64?
        var lost: UInt64 = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// How much was left out at the beginning, in seconds.
    package var lostSeconds: Double { Double(state.withLock { $0.lost }) / 1e9 }

    /// - Parameter pad: where packets of known durations leave.
    package func install(on pad: GStreamer.Pad) {
        pad.addProbe(.buffer) { [self] in pass($0) }
    }

    private func pass(_ info: GStreamer.ProbeInfo) -> GStreamer.ProbeAnswer {
        guard let packet = info.buffer else { return .ok }
        let (time, duration) = (packet.presentationTime, packet.duration ?? 0)
        let start = state.withLock { state -> UInt64? in
            guard let start = time ?? state.end else {
                state.lost &+= duration
                return nil
            }
            state.end = start &+ duration
            return start
        }
        guard let start else { return .drop }
        if time == nil { info.writableBuffer?.setPresentationTime(start) }
        return .ok
    }
}
