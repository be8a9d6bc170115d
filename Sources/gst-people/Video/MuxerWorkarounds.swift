import CGStreamer
import Synchronization

/// Corrects what GStreamer 1.22's `mp4mux` and `qtmux` write wrongly about a video track.
enum MuxerWorkarounds {
    /// - Parameter pad: where encoded frames leave for the muxer.
    static func install(on pad: Pad) {
        let length = TrackDuration()
        onBuffer(pad) { length.correct($0) }
        gst_pad_add_probe(
            pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM,
            { _, info, _ in
                if let info { MuxerWorkarounds.removeFullRange(info) }
                return GST_PAD_PROBE_OK
            }, nil, nil)
    }

    /// Keeps the muxer from declaring full-range video as limited: its `colr` box
    /// can express nothing else.
    ///
    /// Without that box, players read the range from the H.264 stream, which is right.
    fileprivate static func removeFullRange(_ info: UnsafeMutablePointer<GstPadProbeInfo>) {
        guard let event = info.pointee.data?.assumingMemoryBound(to: GstEvent.self),
            people_event_type(event) == GST_EVENT_CAPS
        else { return }
        var caps: Caps?
        gst_event_parse_caps(event, &caps)
        guard let caps, isFullRange(caps), let rest = gst_caps_copy(caps) else { return }
        gst_structure_remove_field(gst_caps_get_structure(rest, 0), "colorimetry")
        info.pointee.data = UnsafeMutableRawPointer(gst_event_new_caps(rest))
        gst_caps_unref(rest)
        gst_event_unref(event)
    }

    private static func isFullRange(_ caps: Caps) -> Bool {
        var colorimetry = GstVideoColorimetry()
        let text = gst_structure_get_string(gst_caps_get_structure(caps, 0), "colorimetry")
        return text != nil && gst_video_colorimetry_from_string(&colorimetry, text) != 0
            && colorimetry.range == GST_VIDEO_COLOR_RANGE_0_255
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

    func correct(_ info: UnsafeMutablePointer<GstPadProbeInfo>) {
        guard let buffer = writableBuffer(of: info) else { return }
        let (presented, decoded) = (UInt64(buffer.pointee.pts), UInt64(buffer.pointee.dts))
        let duration = UInt64(buffer.pointee.duration)
        guard presented != .max, decoded != .max, duration != .max else { return }
        let rest = remaining(presented: presented, decoded: decoded, duration: duration)
        buffer.pointee.duration = GstClockTime(rest)
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
