import CGStreamer
import CommandKit
import Synchronization

/// Where the frames of a film are, read from its packets without decoding them.
struct PictureIndex: Sendable {
    /// When the frames are shown, in nanoseconds of the film, ascending.
    let times: [UInt64]
    /// Those of frames that are encoded without others.
    let keys: [UInt64]
    /// Length of the film as it says itself, in nanoseconds; nil when it does not.
    let length: UInt64?

    /// Reads the packets of a film.
    ///
    /// - Returns: nil for a film in which frames cannot be found by their times.
    init?(of input: String) throws(ToolError) {
        guard Self.hasExactTimes(input) else { return nil }
        let graph = try Graph()
        let source = try graph.add("filesrc")
        set(source, "location", text: input)
        let parser = try graph.add("parsebin")
        try link(source, parser)
        let reader = PacketReader(graph)
        onPadAdded(parser) { reader.take($0) }
        let pipeline = try RunningPipeline(graph, input: input, output: nil) { nil }
        do throws(ToolError) { try pipeline.run {} } catch {
            // Whoever makes the film in one piece finds the same and says what it is.
            guard error.signal == nil else { throw error }
            return nil
        }
        let packets = reader.packets.withLock { $0 }
        times = packets.times.sorted()
        keys = packets.keys.sorted()
        length = packets.length
    }

    /// Whether the film is as long as it says, but for its last frame and what containers round.
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

/// Collects the times of the first picture's packets.
private final class PacketReader: @unchecked Sendable {
    // Its state is guarded; the graph only gets elements.
    struct Packets: Sendable {
        var times: [UInt64] = []
        var keys: [UInt64] = []
        var length: UInt64?
    }

    let packets = Mutex(Packets())
    private let hasPicture = Mutex(false)
    private let graph: Graph

    init(_ graph: Graph) { self.graph = graph }

    func take(_ pad: Pad) {
        guard let sink = try? graph.add("fakesink") else { return }
        set(sink, "async", "false")
        gst_element_sync_state_with_parent(sink)
        try? link(pad, sink)
        // parsebin of GStreamer 1.26 hands out pads before their caps.
        guard let caps = gst_pad_query_caps(pad, nil) else { return }
        defer { gst_caps_unref(caps) }
        let isFirst = hasPicture.withLock { has in
            let isFirst = !has && mediaType(of: caps).hasPrefix("video/")
            has = has || isFirst
            return isFirst
        }
        if isFirst { read(pad) }
    }

    private func read(_ pad: Pad) {
        var length: gint64 = 0
        if gst_pad_query_duration(pad, GST_FORMAT_TIME, &length) != 0, length > 0 {
            packets.withLock { $0.length = UInt64(length) }
        }
        // The probe goes with the pad, which it must not keep alive.
        nonisolated(unsafe) let pad = pad
        let filmStart = FilmStart()
        onBuffer(pad) { [self] info in
            guard let time = filmStart.time(of: info, at: pad) else { return }
            let isKey = info.isKey
            packets.withLock { packets in
                packets.times.append(time)
                if isKey { packets.keys.append(time) }
            }
        }
    }
}

extension UnsafeMutablePointer<GstPadProbeInfo> {
    /// Whether the buffer can be decoded without others.
    fileprivate var isKey: Bool {
        guard let data = pointee.data else { return false }
        let flags = data.assumingMemoryBound(to: GstMiniObject.self).pointee.flags
        return flags & guint(GST_BUFFER_FLAG_DELTA_UNIT.rawValue) == 0
    }
}
