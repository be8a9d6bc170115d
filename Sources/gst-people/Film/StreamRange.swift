import CGStreamer
import CommandKit
import Synchronization

/// Plays a part of the input.
///
/// The decoder's streams are held until all of them are known, and then moved to the start at once, so that nothing
/// of what comes before is analysed. Each one ends at the end of the range: demuxers that are asked to stop there leave out
/// reordered frames.
final class StreamRange: @unchecked Sendable {
    // Its state is guarded; GStreamer's objects do their own locking.
    private let range: FilmRange
    private let input: String
    private let zero: UInt64?
    private let held = Mutex<[Held]>([])

    private struct Held: @unchecked Sendable {
        // The pad is referenced until it is released.
        let pad: Pad
        let probes: [gulong]
    }

    /// - Parameter zero: the time at which the output begins, in nanoseconds; nil for the start of the range.
    init(_ range: FilmRange, of input: String, zero: UInt64? = nil) {
        (self.range, self.input, self.zero) = (range, input, zero)
    }

    deinit { release() }

    /// Holds a new stream, and ends it where the range ends.
    func hold(_ pad: Pad) {
        if let end = range.end { Self.end(pad, at: end) }
        if !range.isWhole { Self.removeChapters(pad) }
        if let zero { Self.rebase(pad, to: zero) }
        guard range.start > 0 else { return }
        gst_object_ref(pad)
        let block = onProbe(pad, GST_PAD_PROBE_TYPE_BLOCK_DOWNSTREAM) { _ in GST_PAD_PROBE_OK }
        // Nothing has passed that would have to be flushed, and muxers stop at flushes.
        let flush = onProbe(pad, GST_PAD_PROBE_TYPE_EVENT_FLUSH) { _ in GST_PAD_PROBE_DROP }
        held.withLock { $0.append(Held(pad: pad, probes: [block, flush])) }
    }

    /// Moves all streams to the start and lets them go; not on a thread of GStreamer's.
    func begin() throws(ToolError) {
        guard let pad = held.withLock({ $0.first?.pad }) else { return }
        defer { release() }
        let flags = GstSeekFlags(rawValue: GST_SEEK_FLAG_FLUSH.rawValue | GST_SEEK_FLAG_ACCURATE.rawValue)
        let seek = gst_event_new_seek(
            1, GST_FORMAT_TIME, flags, GST_SEEK_TYPE_SET, gint64(clamping: range.start), GST_SEEK_TYPE_NONE,
            -1)
        guard gst_pad_send_event(pad, seek) != 0 else {
            let time = (Double(range.start) / 1e9).clockTime
            throw ToolError(.input, "\(input) cannot be played from \(time) on; it may be shorter.")
        }
    }

    private func release() {
        let all = held.withLock { held in
            defer { held = [] }
            return held
        }
        for stream in all {
            for probe in stream.probes { gst_pad_remove_probe(stream.pad, probe) }
            gst_object_unref(stream.pad)
        }
    }

    /// Makes running times those since `zero`.
    private static func rebase(_ pad: Pad, to zero: UInt64) {
        onProbe(pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM) { info in
            guard let event = info.pointee.data?.assumingMemoryBound(to: GstEvent.self),
                people_event_type(event) == GST_EVENT_SEGMENT
            else { return GST_PAD_PROBE_OK }
            var segment = GstSegment()
            gst_event_copy_segment(event, &segment)
            let time = UInt64(segment.time)
            segment.base = guint64(time == .max || time < zero ? 0 : time - zero)
            info.pointee.data = UnsafeMutableRawPointer(gst_event_new_segment(&segment))
            gst_event_unref(event)
            return GST_PAD_PROBE_OK
        }
    }

    /// Their times are those of the whole film.
    private static func removeChapters(_ pad: Pad) {
        onProbe(pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM) { info in
            let event = info.pointee.data?.assumingMemoryBound(to: GstEvent.self)
            return event.map(people_event_type) == GST_EVENT_TOC ? GST_PAD_PROBE_DROP : GST_PAD_PROBE_OK
        }
    }

    private static func end(_ pad: Pad, at end: UInt64) {
        // The probe goes with the pad, which it must not keep alive.
        nonisolated(unsafe) let pad = pad
        onProbe(pad, GST_PAD_PROBE_TYPE_BUFFER) { info in
            guard let time = info.presentationTime.flatMap({ StreamTime.of($0, at: pad) }),
                time + StreamTime.tolerance >= end
            else { return GST_PAD_PROBE_OK }
            // What comes after it is refused by the pad, which tells the demuxer to stop.
            gst_pad_push_event(pad, gst_event_new_eos())
            return GST_PAD_PROBE_DROP
        }
    }
}
