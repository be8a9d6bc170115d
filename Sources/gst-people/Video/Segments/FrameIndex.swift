import CommandKit
import GStreamerKit
import Synchronization

/// Where the frames of a video are, read from its packets without decoding them.
struct FrameIndex: Sendable {
    /// When the frames are shown, in nanoseconds of the video, ascending.
    let times: [UInt64]
    /// Those of frames that are encoded without others.
    let keys: [UInt64]
    /// Length of the video as it says itself, in nanoseconds; nil when it does not.
    let length: UInt64?

    /// Reads the packets of a video.
    ///
    /// - Returns: nil for a video in which frames cannot be found by their times.
    init?(of input: String) throws(ToolError) {
        guard Self.hasExactTimes(input) else { return nil }
        let pipeline = try GStreamer.Pipeline.make()
        let source = try pipeline.add("filesrc")
        source.set("location", to: input)
        let parser = try pipeline.add("parsebin")
        try link(source, parser)
        let reader = PacketReader()
        // The pipeline keeps the closure, which must not keep the pipeline.
        parser.onPadAdded { [weak pipeline] pad in
            if let pipeline { reader.take(pad, in: pipeline) }
        }
        let running = RunningPipeline(pipeline, input: input, output: nil) { nil }
        do throws(ToolError) { try running.run {} } catch {
            // Processing in one piece meets the same fault and reports it.
            guard error.signal == nil else { throw error }
            return nil
        }
        let packets = reader.packets.withLock { $0 }
        times = packets.times.sorted()
        keys = packets.keys.sorted()
        length = packets.length
    }

    /// Whether the video is as long as it says, but for its last frame and what containers round.
    var isWhole: Bool {
        guard let length, let last = times.last else { return true }
        return last + 250_000_000 + length / 500 >= length
    }

    /// Whether packets have the times of their frames, and a seek finds them again: MP4, QuickTime, Matroska, WebM.
    private static func hasExactTimes(_ input: String) -> Bool {
        MediaType(ofFile: input).map { containers.contains($0.name) } ?? false
    }

    /// The kinds of files for which that is true.
    static let containers = ["video/quicktime", "video/x-matroska", "video/webm"]
}

/// Collects the times of the first frame's packets.
private final class PacketReader: Sendable {
    struct Packets: Sendable {
        var times: [UInt64] = []
        var keys: [UInt64] = []
        var length: UInt64?
    }

    let packets = Mutex(Packets())
    private let hasVideo = Mutex(false)

    func take(_ pad: GStreamer.Pad, in pipeline: GStreamer.Pipeline) {
        guard let sink = try? pipeline.add("fakesink") else { return }
        sink.set("async", parsing: "false")
        sink.syncStateWithParent()
        try? link(pad, sink)
        // parsebin of GStreamer 1.26 hands out pads before their caps.
        guard let type = pad.possibleCaps?.mediaType else { return }
        let isFirst = hasVideo.withLock { has in
            let isFirst = !has && type.hasPrefix("video/")
            has = has || isFirst
            return isFirst
        }
        if isFirst { read(pad) }
    }

    private func read(_ pad: GStreamer.Pad) {
        if let length = pad.streamDuration { packets.withLock { $0.length = length } }
        let videoStart = VideoStart()
        pad.onBuffer { [self] info in
            guard let time = videoStart.time(of: info) else { return }
            let isKey = info.buffer?.isKeyUnit ?? false
            packets.withLock { packets in
                packets.times.append(time)
                if isKey { packets.keys.append(time) }
            }
        }
    }
}
