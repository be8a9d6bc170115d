import CGStreamer
import Imaging
import Threads

/// The pipeline `uridecodebin ! appsink`, which gives the frames of a picture or a clip as their decoder made
/// them.
final class DecodingPipeline: Sendable {
    let pipeline: GStreamer.Element
    let sink: GStreamer.AppSink
    let bus: GStreamer.Bus
    /// The turn that makes the frames upright, according to the tags so far.
    let orientation = Guarded(ImageOrientation.up)
    private let limit = PictureLimit()
    private let content = PlaylistGuard()
    private let reading: ReadLimit
    private let starts = Monitor(Starts())

    private struct Starts {
        /// Number of calls of `play` that have not finished.
        var count = 0
        /// Whether `stop` has given up waiting for unfinished calls of `play`.
        var areAbandoned = false
    }

    /// - Throws: `GST_RESOURCE_ERROR_NOT_FOUND` when GStreamer's base plugins are missing.
    init(_ location: MediaLocation) throws(ElementError) {
        // Audio would be decoded for nothing. Decodebin takes decoders that could also use other memory only
        // if the caps allow that memory.
        let description =
            "uridecodebin name=source caps=video/x-raw;video/x-raw(ANY) expose-all-streams=false "
            + "appsink name=sink caps=video/x-raw max-buffers=1 sync=false enable-last-sample=false"
        guard let pipeline = try? GStreamer.Element(launching: description) else {
            throw ElementError(
                .resourceNotFound,
                "GStreamer's base plugins are not installed: uridecodebin or appsink is missing.")
        }
        guard let source = pipeline.element(named: "source"), let bus = pipeline.bus,
            let sink = GStreamer.AppSink(pipeline.element(named: "sink")), let pad = sink.element.pad("sink")
        else { throw .unreadable(location.text, "the decoding pipeline is incomplete") }
        source.set("uri", parsing: location.uri)
        (self.pipeline, self.sink, self.bus) = (pipeline, sink, bus)
        reading = ReadLimit(isFile: location.isFile)
        // The first picture is linked each time that it starts; any further stream is left alone.
        source.onPadAdded { [element = sink.element] pad in
            if let target = element.pad("sink"), !target.isLinked { pad.link(to: target) }
        }
        pad.onEvent { [orientation] event, _ in
            if let new = event.tags?.orientation { orientation.update { $0 = new } }
        }
        reading.watchFrames(at: pad)
        let isLocal = location.isLocal
        pipeline.onElementAdded { [limit, reading, content] element in
            if isLocal { content.watch(element) }
            limit.watch(element)
            reading.watch(element)
        }
    }

    deinit { stop() }

    /// Starts to decode, on a thread of GStreamer's.
    ///
    /// If a decoder fails while uridecodebin starts, uridecodebin starts decodebin once more. The second
    /// start waits for the streaming thread of the first, which may wait in the sink until the start is done.
    /// Only `stop` ends both waits.
    func play() {
        // From here on, samples can be pulled from the sink.
        pipeline.setState(.ready)
        starts.update { $0.count += 1 }
        pipeline.callAsynchronously { [starts] pipeline in
            pipeline.setState(.playing)
            let isAbandoned = starts.update { starts in
                starts.count -= 1
                return starts.areAbandoned
            }
            if isAbandoned { pipeline.setState(.null) }
        }
    }

    /// Ends decoding; `play` must have returned.
    ///
    /// With GStreamer 1.28 a start may wait for ever if a decoder fails: decodebin frees that decoder, which
    /// waits for decodebin's lock (once in some thousand starts). Such a start is given up after five
    /// seconds; its thread stays.
    func stop() {
        // Ends the wait in the sink, and with it a start that would not finish.
        if let event = GStreamer.Event.flushStart { sink.element.pad("sink")?.send(event) }
        if haveStartsEnded() { pipeline.setState(.null) }
    }

    private func haveStartsEnded() -> Bool {
        _ = starts.wait(until: Deadline(in: 5)) { $0.count == 0 ? () : nil }
        return starts.update { starts in
            starts.areAbandoned = starts.count > 0
            return !starts.areAbandoned
        }
    }

    /// Seeks to the first frame; false when the source cannot seek.
    func seekToStart() -> Bool { pipeline.isSeekable && pipeline.seekToStart(isExact: true) }

    /// The reason why the picture is refused; nil if it is not.
    var refusal: PictureLimit.Refusal? { limit.refusal }

    /// The kind of file, if it names other files, which are not opened.
    var reference: String? { content.reference }

    /// The reason why reading ended, if it did.
    var readFault: String? { reading.fault }

    /// Returns the text of an error that was posted meanwhile; nil when there is none.
    func failure() -> String? { bus.pop(.error)?.failure.text }
}

/// Prevents a local file from opening others: demuxers of playlists would open the files and servers that
/// these name.
package final class PlaylistGuard: Sendable {
    private let found = Guarded<String?>(nil)

    package init() {}

    /// The kind of file, as a phrase, if it names other files, which are not opened.
    package var reference: String? { found.snapshot() }

    /// Drops the file's bytes before an element that would open other files.
    package func watch(_ element: GStreamer.Element) {
        guard let kind = Self.kind(of: element) else { return }
        found.update { $0 = kind }
        // The element opens nothing before it has read something. Events pass: GStreamer warns of data that
        // come without them.
        element.pad("sink")?.addProbe(.buffer) { _ in .drop }
    }

    /// Returns the kind of file that an element reads, if that kind names other files.
    private static func kind(of element: GStreamer.Element) -> String? {
        let classification = element.classification ?? ""
        guard classification.contains("Demuxer"),
            ["Adaptive", "Network", "Editing"].contains(where: classification.contains)
        else { return nil }
        let name = element.factoryName ?? ""
        return names.first { name.hasPrefix($0.factory) }?.kind ?? "a playlist"
    }

    private static let names = [
        (factory: "hls", kind: "an HLS playlist"), (factory: "dash", kind: "a DASH playlist"),
        (factory: "mss", kind: "a Smooth Streaming playlist"),
        (factory: "sdp", kind: "a session description (SDP)"), (factory: "ges", kind: "an editing project"),
    ]
}
