import CommandKit
import GStreamerKit
import Synchronization

/// Joins the segments of a video, and adds the audio of the input; the video is not encoded again.
final class VideoJoiner {
    private let linker: StreamLinker
    private let pipeline: RunningPipeline

    /// - Parameter path: where to write.
    init(_ job: Job, _ folder: WorkFolder, writingTo path: String) throws(ToolError) {
        let pipeline = try GStreamer.Pipeline.make()
        let video = try pipeline.add(
            chain: "splitfilesrc name=segments ! gdpdepay ! queue max-size-buffers=100")
        video.element(named: "segments")?.set("location", to: folder.pattern)
        let linker = try StreamLinker(pipeline, job, video: nil)
        guard let muxer = linker.muxer else { throw ToolError(.failed, "Images have no segments.") }
        guard let pad = video.pad("src") else { throw ToolError(.failed, "The segments have no end.") }
        JoinedStream.install(on: pad)
        // Headers are written with the first frame: until then all streams must be known.
        let hold = pad.addProbe(.block) { _ in .ok }
        try muxer.link(video: video)
        let sink = try pipeline.add("filesink")
        sink.set("location", to: path)
        try link(muxer.element, sink)
        let decoder = try pipeline.addDecoder(of: job.input)
        self.pipeline = RunningPipeline(
            pipeline, input: job.input, output: job.output,
            onStreams: {
                linker.range.begin()
                hold.remove()
            }, problem: { linker.problem })
        self.linker = linker
        linker.watch(decoder)
    }

    /// Works to the end.
    ///
    /// - Returns: what was changed or left out, for the user.
    func run(_ report: () -> Void) throws(ToolError) -> [String] {
        try pipeline.run(report)
        if let problem = linker.problem { throw problem }
        return linker.notes
    }
}

/// Makes one stream of those of a video's segments, which follow each other on one pad.
///
/// Each encoder numbers the times of its packets in a way of its own; running times are those of the whole video. What
/// begins a stream is passed on once.
private final class JoinedStream: Sendable {
    private struct State: Sendable {
        var segment: GStreamer.Segment?
        var streams = 0
        var lastDecoded: Int64?
    }

    private let state = Mutex(State())

    static func install(on pad: GStreamer.Pad) {
        let stream = JoinedStream()
        pad.addProbe(.events) { stream.pass($0) }
        pad.onBuffer { stream.rewrite($0) }
    }

    // MARK: - Events

    private func pass(_ info: GStreamer.ProbeInfo) -> GStreamer.ProbeAnswer {
        guard let event = info.event else { return .ok }
        let kind = event.kind
        let isFirst = state.withLock { state in
            if kind == .streamStart { state.streams += 1 }
            return state.streams <= 1
        }
        switch kind {
        case .streamStart, .tag: return isFirst ? .ok : .drop
        case .segment: return event.segment.map { take($0, info) } ?? .ok
        default: return .ok
        }
    }

    private func take(_ segment: GStreamer.Segment, _ info: GStreamer.ProbeInfo) -> GStreamer.ProbeAnswer {
        let isFirst = state.withLock { state in
            defer { state.segment = segment }
            return state.segment == nil
        }
        guard isFirst else { return .drop }
        var whole = GStreamer.Segment()
        whole.start = Self.origin
        whole.position = Self.origin
        if let event = GStreamer.Event(whole) { info.replace(with: event) }
        return .ok
    }

    // MARK: - Packets

    /// The first frame is decoded before it is shown, but no time is negative: they begin at an hour, in nanoseconds.
    private static let origin: UInt64 = 3_600_000_000_000
    /// Nanoseconds between two decoding times, at least: a tick of the finest track clock that is written, of 120 kHz.
    private static let tick: Int64 = 8334

    private func rewrite(_ info: GStreamer.ProbeInfo) {
        guard let buffer = info.writableBuffer else { return }
        let (presentation, decoding) = (buffer.readable.presentationTime, buffer.readable.decodingTime)
        let (presented, decoded) = state.withLock { state in
            let presented = Self.time(presentation, in: state.segment)
            var decoded = Self.time(decoding, in: state.segment)
            // An encoder makes its first decoding times up from the distances of its first frames. Where these are longer than
            // those before the seam, they would lie before decoding times that have passed.
            if let time = decoded, let last = state.lastDecoded { decoded = max(time, last + Self.tick) }
            state.lastDecoded = decoded ?? state.lastDecoded
            return (presented, decoded)
        }
        buffer.setPresentationTime(presented.map { UInt64($0) })
        buffer.setDecodingTime(decoded.map { UInt64($0) })
    }

    /// A time in the joined stream, in nanoseconds.
    private static func time(_ time: UInt64?, in segment: GStreamer.Segment?) -> Int64? {
        guard let time, let running = segment?.fullRunningTime(of: time) else { return nil }
        return max(0, Int64(origin) + running)
    }
}
