import CommandKit
import GStreamerKit
import Synchronization

/// Plays a part of the input.
///
/// The decoder's streams are held until all of them are known, and then moved at once to a place before the start, so that
/// little of what comes before is decoded. Each one is cut at both ends of the range: demuxers that are asked to stop there
/// leave out reordered frames.
final class StreamRange: Sendable {
    private let range: VideoRange
    private let origin: UInt64?
    private let videoStart = VideoStart()
    private let held = Mutex<[Held]>([])

    private struct Held: Sendable {
        let pad: GStreamer.Pad
        let probes: [GStreamer.Probe]
    }

    /// - Parameter origin: the time of the video at which the output begins, in nanoseconds; nil for the start of the range.
    init(_ range: VideoRange, origin: UInt64? = nil) { (self.range, self.origin) = (range, origin) }

    deinit { release() }

    /// Holds a new stream, and cuts it.
    func hold(_ pad: GStreamer.Pad) {
        guard !range.isWhole || origin != nil else { return }
        StreamCut.install(on: pad, range, origin: origin ?? range.start, videoStart)
        guard range.start > 0 else { return }
        let block = pad.addProbe(.block) { _ in .ok }
        // Nothing has passed that would have to be flushed, and muxers stop at flushes.
        let flush = pad.addProbe(.flushes) { _ in .drop }
        held.withLock { $0.append(Held(pad: pad, probes: [block, flush])) }
    }

    /// Moves all streams and releases them; not on a thread of GStreamer's.
    func begin() {
        let pads = held.withLock { $0.map(\.pad) }
        guard let pad = pads.first else { return }
        defer { release() }
        let lead = pads.compactMap(\.reordering).max() ?? Self.shortestLead
        guard range.start > lead else { return }
        // Held streams have no segment yet: without this, the place that is sought would be taken for the beginning.
        let start = videoStart.found(pads.lazy.compactMap { $0.segment?.time }.first ?? 0)
        // What cannot be moved is decoded from its beginning.
        if let seek = GStreamer.Event.seek(to: start &+ (range.start - lead)) { pad.send(seek) }
    }

    /// In nanoseconds; audio needs some packets before the first one that is heard.
    fileprivate static let shortestLead: UInt64 = 1_000_000_000

    private func release() {
        let all = held.withLock { held in
            defer { held = [] }
            return held
        }
        for stream in all {
            for probe in stream.probes { probe.remove() }
        }
    }
}

extension GStreamer.Pad {
    /// The time before a frame in which decoding must begin, in nanoseconds; nil for what is no video.
    ///
    /// Frames that follow a key frame in the file and are shown before it cannot be decoded where playing begins with it (open
    /// groups of pictures). They are shown at most 16 frames before (ITU-T H.264, A.3.1, and H.265, A.4.2).
    fileprivate var reordering: UInt64? {
        guard let fields = currentCaps?.fields, fields.name == "video/x-raw" else { return nil }
        guard let rate = fields.fraction("framerate"), rate.numerator > 0 else { return 3_000_000_000 }
        let frames = 17e9 * Double(rate.denominator) / Double(rate.numerator)
        return max(StreamRange.shortestLead, UInt64(min(frames, 600e9)))
    }
}

/// Leaves out of a stream what lies outside of a part of the video.
///
/// Times of the video count from its first one: those of transport streams begin anywhere.
final class StreamCut: Sendable {
    private let range: VideoRange
    /// The time of the video at which the output begins, in nanoseconds.
    private let origin: UInt64
    private let videoStart: VideoStart
    private let hasEnded = Mutex(false)

    /// - Parameter pad: where the stream leaves the decoder.
    static func install(
        on pad: GStreamer.Pad, _ range: VideoRange, origin: UInt64, _ videoStart: VideoStart
    ) {
        let cut = StreamCut(range, origin: origin, videoStart)
        pad.addProbe(.buffer) { cut.pass(buffer: $0) }
        pad.addProbe(.events) { cut.pass(event: $0) }
    }

    private init(_ range: VideoRange, origin: UInt64, _ videoStart: VideoStart) {
        (self.range, self.origin, self.videoStart) = (range, origin, videoStart)
    }

    // MARK: - Buffers

    private func pass(buffer info: GStreamer.ProbeInfo) -> GStreamer.ProbeAnswer {
        // The demuxer stops when all streams answer so.
        if hasEnded.withLock({ $0 }) { return info.finish(.endOfStream) }
        guard let time = videoStart.time(of: info) else { return .ok }
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
        let time = begin - min(videoStart.found(begin), begin)
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
final class VideoStart: Sendable {
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
