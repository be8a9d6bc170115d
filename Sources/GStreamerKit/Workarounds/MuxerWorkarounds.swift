import Synchronization

/// Corrects what `mp4mux` and `qtmux` write wrongly about a video track.
///
/// Seen in GStreamer 1.22; `VideoTranscodingTests.keepsColorimetry` and `keepsVariableFrameRates` tell when it can go.
package enum MuxerWorkarounds {
    /// - Parameter pad: where encoded frames leave for the muxer.
    package static func install(on pad: GStreamer.Pad) {
        let length = TrackDuration()
        pad.onBuffer { length.correct($0) }
        pad.onEvent { event, info in
            if let caps = event.caps { removeFullRange(caps, info) }
        }
    }

    /// Keeps the muxer from declaring full-range video as limited: its `colr` box
    /// can express nothing else.
    ///
    /// Without that box, players read the range from the H.264 stream, which is right.
    private static func removeFullRange(_ caps: GStreamer.Caps, _ info: GStreamer.ProbeInfo) {
        guard GStreamer.Colorimetry(caps.fields?.string("colorimetry"))?.isFullRange ?? false else { return }
        var rest = caps
        rest.removeFields("colorimetry")
        if let event = GStreamer.Event(rest) { info.replace(with: event) }
    }
}

/// Makes the duration of a track equal to the time that its frames span.
///
/// The muxer adds up decoding times, which run ahead of presentation times where frames are reordered.
/// At a variable frame rate the sum can fall short, and the edit list then hides the last frames. It takes
/// the duration of the last frame only from its buffer, and which one is the last is not known in
/// advance: each one gets the duration that would complete the track.
private final class TrackDuration: Sendable {
    private struct State {
        var firstDecoded: UInt64?
        var start = UInt64.max
        var end: UInt64 = 0
    }

    private let state = Mutex(State())

    func correct(_ info: GStreamer.ProbeInfo) {
        guard let buffer = info.writableBuffer, let presented = buffer.readable.presentationTime,
            let decoded = buffer.readable.decodingTime, let duration = buffer.readable.duration
        else { return }
        buffer.setDuration(remaining(presented: presented, decoded: decoded, duration: duration))
    }

    private func remaining(presented: UInt64, decoded: UInt64, duration: UInt64) -> UInt64 {
        state.withLock { state in
            let first = state.firstDecoded ?? decoded
            state.firstDecoded = first
            state.start = min(state.start, presented)
            state.end = max(state.end, presented &+ duration)
            let (length, passed) = (state.end &- state.start, decoded &- first)
            return length > passed ? length - passed : duration
        }
    }
}
