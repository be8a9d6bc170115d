import CGStreamer
import CommandKit
import Synchronization

/// Plays a part of the input.
///
/// The decoder's streams are held until all of them are known, and then moved at once to a place before the start, so that
/// little of what comes before is decoded. Each one is cut at both ends of the range: demuxers that are asked to stop there
/// leave out reordered frames.
final class StreamRange: @unchecked Sendable {
    // Its state is guarded; GStreamer's objects do their own locking.
    private let range: FilmRange
    private let origin: UInt64?
    private let filmStart = FilmStart()
    private let held = Mutex<[Held]>([])

    private struct Held: @unchecked Sendable {
        // The pad is referenced until it is released.
        let pad: Pad
        let probes: [gulong]
    }

    /// - Parameter origin: the time of the video at which the output begins, in nanoseconds; nil for the start of the range.
    init(_ range: FilmRange, origin: UInt64? = nil) { (self.range, self.origin) = (range, origin) }

    deinit { release() }

    /// Holds a new stream, and cuts it.
    func hold(_ pad: Pad) {
        guard !range.isWhole || origin != nil else { return }
        StreamCut.install(on: pad, range, origin: origin ?? range.start, filmStart)
        guard range.start > 0 else { return }
        gst_object_ref(pad)
        let block = onProbe(pad, GST_PAD_PROBE_TYPE_BLOCK_DOWNSTREAM) { _ in GST_PAD_PROBE_OK }
        // Nothing has passed that would have to be flushed, and muxers stop at flushes.
        let flush = onProbe(pad, GST_PAD_PROBE_TYPE_EVENT_FLUSH) { _ in GST_PAD_PROBE_DROP }
        held.withLock { $0.append(Held(pad: pad, probes: [block, flush])) }
    }

    /// Moves all streams and lets them go; not on a thread of GStreamer's.
    func begin() {
        let pads = held.withLock { $0.map(\.pad) }
        guard let pad = pads.first else { return }
        defer { release() }
        let lead = pads.compactMap(\.reordering).max() ?? Self.shortestLead
        guard range.start > lead else { return }
        let start = pads.lazy.compactMap(StreamTime.start).first.map(filmStart.found) ?? 0
        let flags = GstSeekFlags(rawValue: GST_SEEK_FLAG_FLUSH.rawValue | GST_SEEK_FLAG_ACCURATE.rawValue)
        let seek = gst_event_new_seek(
            1, GST_FORMAT_TIME, flags, GST_SEEK_TYPE_SET, gint64(clamping: start &+ (range.start - lead)),
            GST_SEEK_TYPE_NONE, -1)
        // What cannot be moved is decoded from its beginning.
        gst_pad_send_event(pad, seek)
    }

    /// In nanoseconds; sound needs some packets before the first one that is heard.
    fileprivate static let shortestLead: UInt64 = 1_000_000_000

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
}

extension Pad {
    /// The time before a frame in which decoding must begin, in nanoseconds; nil for what is no picture.
    ///
    /// Frames that follow a key frame in the file and are shown before it cannot be decoded where playing begins with it (open
    /// groups of pictures). They are shown at most 16 frames before (ITU-T H.264, A.3.1, and H.265, A.4.2).
    fileprivate var reordering: UInt64? {
        guard let caps = gst_pad_get_current_caps(self) else { return nil }
        defer { gst_caps_unref(caps) }
        guard mediaType(of: caps) == "video/x-raw" else { return nil }
        var (count, seconds): (gint, gint) = (0, 0)
        gst_structure_get_fraction(gst_caps_get_structure(caps, 0), "framerate", &count, &seconds)
        guard count > 0, seconds > 0 else { return 3_000_000_000 }
        let frames = 17e9 * Double(seconds) / Double(count)
        return max(StreamRange.shortestLead, UInt64(min(frames, 600e9)))
    }
}
