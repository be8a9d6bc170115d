import CGStreamer
import Synchronization

/// Leaves out of a stream what lies outside of a part of the film.
///
/// Times of the video count from its first one: those of transport streams begin anywhere.
final class StreamCut: Sendable {
    private let range: FilmRange
    /// The time of the video at which the output begins, in nanoseconds.
    private let origin: UInt64
    private let filmStart: FilmStart
    private let hasEnded = Mutex(false)

    /// - Parameter pad: where the stream leaves the decoder.
    static func install(on pad: Pad, _ range: FilmRange, origin: UInt64, _ filmStart: FilmStart) {
        let cut = StreamCut(range, origin: origin, filmStart)
        // The probe goes with the pad, which it must not keep alive.
        nonisolated(unsafe) let pad = pad
        onProbe(pad, GST_PAD_PROBE_TYPE_BUFFER) { cut.pass(buffer: $0, of: pad) }
        onProbe(pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM) { cut.pass(event: $0) }
    }

    private init(_ range: FilmRange, origin: UInt64, _ filmStart: FilmStart) {
        (self.range, self.origin, self.filmStart) = (range, origin, filmStart)
    }

    // MARK: - Buffers

    private func pass(buffer info: UnsafeMutablePointer<GstPadProbeInfo>, of pad: Pad) -> GstPadProbeReturn {
        if hasEnded.withLock({ $0 }) { return refuse(info) }
        guard let time = filmStart.time(of: info, at: pad) else { return GST_PAD_PROBE_OK }
        if range.isBehind(time) {
            end(pad)
            return refuse(info)
        }
        guard let duration = info.duration else { return GST_PAD_PROBE_OK }
        let (end, isEndless) = time.addingReportingOverflow(duration)
        let whole = time..<(isEndless ? .max : end)
        guard let shown = range.clip(whole) else { return GST_PAD_PROBE_DROP }
        if shown != whole, pad.isDecoded, let buffer = writableBuffer(of: info) {
            buffer.pointee.pts += GstClockTime(shown.lowerBound - time)
            buffer.pointee.duration = GstClockTime(shown.upperBound - shown.lowerBound)
        }
        return GST_PAD_PROBE_OK
    }

    /// Sends the EOS event to what follows.
    ///
    /// This pad must not have it: a pad after its EOS refuses the events that decoders send with any frame, tags with a new
    /// bitrate for example, and the decoder takes that for an error of the stream.
    private func end(_ pad: Pad) {
        hasEnded.withLock { $0 = true }
        guard let peer = gst_pad_get_peer(pad) else { return }
        gst_pad_send_event(peer, gst_event_new_eos())
        gst_object_unref(peer)
    }

    /// The demuxer stops when all streams answer so.
    private func refuse(_ info: UnsafeMutablePointer<GstPadProbeInfo>) -> GstPadProbeReturn {
        info.answer(GST_FLOW_EOS)
        return GST_PAD_PROBE_HANDLED
    }

    // MARK: - Events

    private func pass(event info: UnsafeMutablePointer<GstPadProbeInfo>) -> GstPadProbeReturn {
        guard !hasEnded.withLock({ $0 }) else { return GST_PAD_PROBE_DROP }
        guard let event = info.pointee.data?.assumingMemoryBound(to: GstEvent.self) else {
            return GST_PAD_PROBE_OK
        }
        switch people_event_type(event) {
        case GST_EVENT_TOC:
            // The times of chapters are those of the whole video.
            return range.isWhole ? GST_PAD_PROBE_OK : GST_PAD_PROBE_DROP
        case GST_EVENT_SEGMENT:
            var segment = GstSegment()
            gst_event_copy_segment(event, &segment)
            guard cut(&segment) else { return GST_PAD_PROBE_OK }
            info.pointee.data = UnsafeMutableRawPointer(gst_event_new_segment(&segment))
            gst_event_unref(event)
        default: break
        }
        return GST_PAD_PROBE_OK
    }

    /// Makes a segment begin where the range does, with running times since the origin.
    ///
    /// - Returns: false for a segment without times.
    private func cut(_ segment: inout GstSegment) -> Bool {
        guard segment.format == GST_FORMAT_TIME, segment.time != .max else { return false }
        let start = filmStart.found(UInt64(segment.time))
        let time = UInt64(segment.time) - min(start, UInt64(segment.time))
        let skipped = range.start - min(range.start, time)
        segment.start = min(segment.start &+ guint64(skipped), segment.stop)
        segment.position = segment.start
        segment.time &+= guint64(skipped)
        segment.base = guint64(time + skipped - min(origin, time + skipped))
        return true
    }
}

/// Where the times of a video begin, in nanoseconds of stream time; all streams share it.
final class FilmStart: Sendable {
    private let start = Mutex<UInt64?>(nil)

    var value: UInt64? { start.withLock { $0 } }

    /// Notes the beginning of a stream; the first one counts.
    func found(_ time: UInt64) -> UInt64 {
        start.withLock { start in
            let first = start ?? time
            start = first
            return first
        }
    }

    /// The time of the video at which a buffer is shown, in nanoseconds; nil for one outside of what is played.
    func time(of info: UnsafeMutablePointer<GstPadProbeInfo>, at pad: Pad) -> UInt64? {
        guard let time = info.presentationTime.flatMap({ StreamTime.of($0, at: pad) }) else { return nil }
        let start = value ?? found(StreamTime.start(at: pad) ?? 0)
        return time - min(start, time)
    }
}

extension UnsafeMutablePointer<GstPadProbeInfo> {
    /// How long the buffer is shown, in nanoseconds; nil when it does not say.
    fileprivate var duration: UInt64? {
        guard let data = pointee.data else { return nil }
        let duration = data.assumingMemoryBound(to: GstBuffer.self).pointee.duration
        return duration == .max ? nil : UInt64(duration)
    }
}

extension Pad {
    /// Whether its buffers can be shown for a part of their time.
    fileprivate var isDecoded: Bool {
        guard let caps = gst_pad_get_current_caps(self) else { return false }
        defer { gst_caps_unref(caps) }
        let type = mediaType(of: caps)
        return type == "video/x-raw" || StreamRoute.subtitles.contains(type)
    }
}
