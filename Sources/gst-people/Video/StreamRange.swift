import CommandKit
import GStreamerKit
import Synchronization

/// Plays a part of the input.
///
/// The decoder's streams are held until all of them are known, and then moved at once to a place before the start, so that
/// little of what comes before is decoded. Each one is cut at both ends of the range: demuxers that are asked to stop there
/// leave out reordered frames.
final class StreamRange: Sendable {
    private let range: FilmRange
    private let origin: UInt64?
    private let filmStart = FilmStart()
    private let held = Mutex<[Held]>([])

    private struct Held: Sendable {
        let pad: GStreamer.Pad
        let probes: [GStreamer.Probe]
    }

    /// - Parameter origin: the time of the video at which the output begins, in nanoseconds; nil for the start of the range.
    init(_ range: FilmRange, origin: UInt64? = nil) { (self.range, self.origin) = (range, origin) }

    deinit { release() }

    /// Holds a new stream, and cuts it.
    func hold(_ pad: GStreamer.Pad) {
        guard !range.isWhole || origin != nil else { return }
        StreamCut.install(on: pad, range, origin: origin ?? range.start, filmStart)
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
        let start = pads.lazy.compactMap { $0.segment?.time }.first.map(filmStart.found) ?? 0
        // What cannot be moved is decoded from its beginning.
        if let seek = GStreamer.Event.seek(to: start &+ (range.start - lead)) { pad.send(seek) }
    }

    /// In nanoseconds; sound needs some packets before the first one that is heard.
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
    /// The time before a frame in which decoding must begin, in nanoseconds; nil for what is no picture.
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
