import CGStreamer
import Synchronization

/// Makes one stream of those of a film's segments, which follow each other on one pad.
///
/// Each encoder numbers the times of its packets in a way of its own; running times are those of the whole film. What
/// begins a stream is passed on once.
final class JoinedStream: Sendable {
    private struct State: @unchecked Sendable {
        // A GstSegment is plain numbers.
        var segment = GstSegment()
        var streams = 0
        var hasSegment = false
        var lastDecoded: Int64?
    }

    private let state = Mutex(State())

    static func install(on pad: Pad) {
        let stream = JoinedStream()
        onProbe(pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM) { stream.pass($0) }
        onBuffer(pad) { stream.rewrite($0) }
    }

    // MARK: - Events

    private func pass(_ info: UnsafeMutablePointer<GstPadProbeInfo>) -> GstPadProbeReturn {
        guard let event = info.pointee.data?.assumingMemoryBound(to: GstEvent.self) else {
            return GST_PAD_PROBE_OK
        }
        let isFirst = state.withLock { state in
            if people_event_type(event) == GST_EVENT_STREAM_START { state.streams += 1 }
            return state.streams <= 1
        }
        switch people_event_type(event) {
        case GST_EVENT_STREAM_START, GST_EVENT_TAG: return isFirst ? GST_PAD_PROBE_OK : GST_PAD_PROBE_DROP
        case GST_EVENT_SEGMENT: return take(event, info)
        default: return GST_PAD_PROBE_OK
        }
    }

    private func take(
        _ event: UnsafeMutablePointer<GstEvent>, _ info: UnsafeMutablePointer<GstPadProbeInfo>
    ) -> GstPadProbeReturn {
        var segment = GstSegment()
        gst_event_copy_segment(event, &segment)
        let isFirst = state.withLock { state in
            defer { (state.segment, state.hasSegment) = (segment, true) }
            return !state.hasSegment
        }
        guard isFirst else { return GST_PAD_PROBE_DROP }
        gst_segment_init(&segment, GST_FORMAT_TIME)
        segment.start = guint64(Self.origin)
        segment.position = segment.start
        info.pointee.data = UnsafeMutableRawPointer(gst_event_new_segment(&segment))
        gst_event_unref(event)
        return GST_PAD_PROBE_OK
    }

    // MARK: - Packets

    /// The first frame is decoded before it is shown, but no time is negative: they begin at an hour, in nanoseconds.
    private static let origin: UInt64 = 3_600_000_000_000
    /// Nanoseconds between two decoding times, at least: a tick of the finest track clock that is written, of 120 kHz.
    private static let tick: Int64 = 8334

    private func rewrite(_ info: UnsafeMutablePointer<GstPadProbeInfo>) {
        guard let buffer = writableBuffer(of: info) else { return }
        state.withLock { state in
            let presented = Self.time(buffer.pointee.pts, in: &state.segment)
            var decoded = Self.time(buffer.pointee.dts, in: &state.segment)
            // An encoder makes its first decoding times up from the distances of its first frames. Where these are longer than
            // those before the seam, they would lie before decoding times that have passed.
            if let time = decoded, let last = state.lastDecoded { decoded = max(time, last + Self.tick) }
            state.lastDecoded = decoded ?? state.lastDecoded
            buffer.pointee.pts = presented.map { GstClockTime($0) } ?? .max
            buffer.pointee.dts = decoded.map { GstClockTime($0) } ?? .max
        }
    }

    /// A time in the joined stream, in nanoseconds.
    private static func time(_ time: GstClockTime, in segment: inout GstSegment) -> Int64? {
        var running: guint64 = 0
        let sign = gst_segment_to_running_time_full(&segment, GST_FORMAT_TIME, guint64(time), &running)
        guard sign != 0, let distance = Int64(exactly: running) else { return nil }
        return max(0, Int64(origin) + Int64(sign) * distance)
    }
}
