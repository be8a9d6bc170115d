import GStreamerKit
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
    static func install(
        on pad: GStreamer.Pad, _ range: FilmRange, origin: UInt64, _ filmStart: FilmStart
    ) {
        let cut = StreamCut(range, origin: origin, filmStart)
        pad.addProbe(.buffer) { cut.pass(buffer: $0) }
        pad.addProbe(.events) { cut.pass(event: $0) }
    }

    private init(_ range: FilmRange, origin: UInt64, _ filmStart: FilmStart) {
        (self.range, self.origin, self.filmStart) = (range, origin, filmStart)
    }

    // MARK: - Buffers

    private func pass(buffer info: GStreamer.ProbeInfo) -> GStreamer.ProbeAnswer {
        // The demuxer stops when all streams answer so.
        if hasEnded.withLock({ $0 }) { return info.finish(.endOfStream) }
        guard let time = filmStart.time(of: info) else { return .ok }
        if range.isBehind(time) {
            end(info.pad)
            return info.finish(.endOfStream)
        }
        guard let start = info.buffer?.presentationTime, let duration = info.buffer?.duration else {
            return .ok
        }
        let (end, isEndless) = time.addingReportingOverflow(duration)
        let whole = time..<(isEndless ? .max : end)
        guard let shown = range.clip(whole) else { return .drop }
        if shown != whole, info.pad.isDecoded, let buffer = info.writableBuffer {
            buffer.setPresentationTime(start + (shown.lowerBound - time))
            buffer.setDuration(shown.upperBound - shown.lowerBound)
        }
        return .ok
    }

    /// Sends the EOS event to what follows.
    ///
    /// This pad must not have it: a pad after its EOS refuses the events that decoders send with any frame, tags with a new
    /// bitrate for example, and the decoder takes that for an error of the stream.
    private func end(_ pad: GStreamer.Pad) {
        hasEnded.withLock { $0 = true }
        if let event = GStreamer.Event.endOfStream { pad.peer?.send(event) }
    }

    // MARK: - Events

    private func pass(event info: GStreamer.ProbeInfo) -> GStreamer.ProbeAnswer {
        guard !hasEnded.withLock({ $0 }) else { return .drop }
        guard let event = info.event else { return .ok }
        // The times of chapters are those of the whole video.
        if event.kind == .tableOfContents { return range.isWhole ? .ok : .drop }
        if let segment = event.segment.flatMap(cut), let event = GStreamer.Event(segment) {
            info.replace(with: event)
        }
        return .ok
    }

    /// Makes a segment begin where the range does, with running times since the origin.
    ///
    /// - Returns: nil for a segment without times.
    private func cut(_ segment: GStreamer.Segment) -> GStreamer.Segment? {
        guard let begin = segment.time else { return nil }
        let time = begin - min(filmStart.found(begin), begin)
        let skipped = range.start - min(range.start, time)
        var part = segment
        part.start = min(segment.start &+ skipped, segment.stop)
        part.position = part.start
        part.time = begin &+ skipped
        part.base = time + skipped - min(origin, time + skipped)
        return part
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
    func time(of info: GStreamer.ProbeInfo) -> UInt64? {
        guard let presented = info.buffer?.presentationTime, let segment = info.pad.segment,
            let time = segment.streamTime(of: presented)
        else { return nil }
        let start = value ?? found(segment.time ?? 0)
        return time - min(start, time)
    }
}

extension GStreamer.Pad {
    /// Whether its buffers can be shown for a part of their time.
    fileprivate var isDecoded: Bool {
        guard let type = currentCaps?.mediaType else { return false }
        return type == "video/x-raw" || StreamRoute.subtitles.contains(type)
    }
}
