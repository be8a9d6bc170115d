import CGStreamer
import Imaging

/// `uridecodebin ! appsink`: the frames of a picture or a clip as their decoder gives them.
final class DecodingPipeline: Sendable {
    let pipeline: GStreamer.Element
    let sink: GStreamer.AppSink
    let bus: GStreamer.Bus
    /// How the frames must be turned to be upright, as far as tags have told.
    let orientation = Guarded(ImageOrientation.up)
    private let limit = PictureLimit()
    private let content = OwnContent()
    private let reading: ReadLimit
    private let starts = ConditionLock(Starts())

    private struct Starts {
        /// How many calls of `play` have not come to their end.
        var count = 0
        /// Whether `stop` has given up waiting for them.
        var areAbandoned = false
    }

    /// - Throws: `GST_RESOURCE_ERROR_NOT_FOUND` when GStreamer's base plugins are missing.
    init(_ location: MediaLocation) throws(ElementError) {
        // Audio would be decoded for nothing. Decodebin takes decoders that could also use other memory
        // only when that is allowed.
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
        // The first picture, each time that it starts; any further stream is left alone.
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
    /// A decoder that fails while uridecodebin starts makes it start decodebin once more. That waits for the first start's
    /// streaming thread, which may wait in the sink until the start is done: then only `stop` ends both.
    func play() {
        // From here on the sink can be asked for samples.
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
    /// With GStreamer 1.28 a start may wait for ever where a decoder fails: decodebin then frees that decoder, which waits for
    /// decodebin's lock (once in some thousand starts). Such a start is given up after five seconds; its thread stays.
    func stop() {
        // Ends the sink's waiting, and with it a start that does not come to its end.
        if let event = GStreamer.Event.flushStart { sink.element.pad("sink")?.send(event) }
        if haveStartsEnded() { pipeline.setState(.null) }
    }

    private func haveStartsEnded() -> Bool {
        let patience: gint64 = 5_000_000
        _ = starts.wait(until: g_get_monotonic_time() + patience) { $0.count == 0 ? () : nil }
        return starts.update { starts in
            starts.areAbandoned = starts.count > 0
            return !starts.areAbandoned
        }
    }

    /// Goes back to the first frame; false when the source cannot.
    func seekToStart() -> Bool { pipeline.isSeekable && pipeline.seekToStart(isExact: true) }

    /// Why the picture is not decoded, if it is not.
    var refusal: PictureLimit.Refusal? { limit.refusal }

    /// The kind of file, if it names others, which are not opened.
    var reference: String? { content.reference }

    /// Why nothing more is read, if it is so.
    var readFault: String? { reading.fault }

    /// The reason of an error that was posted meanwhile; nil when there is none.
    func failure() -> String? { bus.pop(.error)?.failure.text }
}
