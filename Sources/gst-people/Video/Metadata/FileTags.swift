import GStreamerKit

/// What a video says about itself, as GStreamer reads it.
struct FileTags {
    /// GStreamer's names of the tags that are about the work, not about its encoding.
    private(set) var names: Set<String> = []
    /// When it was recorded, in seconds since 1970; nil where no time of the day is known.
    private(set) var recorded: Int64?
    private(set) var hasChapters = false
    let streams = InputStreams()

    /// Reads the beginning of a file; what cannot be read has no tags.
    init(of path: String) {
        guard let pipeline = try? GStreamer.Pipeline.make(), let source = try? pipeline.add("filesrc"),
            let parser = try? pipeline.add("parsebin")
        else { return }
        source.set("location", to: path)
        try? link(source, parser)
        parser.onPadAdded { [weak pipeline, streams] pad in
            streams.note(pad)
            guard let sink = try? pipeline?.add(chain: "\(Self.queue) ! fakesink") else { return }
            sink.syncStateWithParent()
            try? link(pad, sink)
        }
        pipeline.element.setState(.paused)
        while let message = pipeline.bus.pop(.any, within: Self.patience) {
            switch message.kind {
            case .tag: if let tags = message.tags { add(tags) }
            case .tableOfContents: hasChapters = true
            case .asyncDone where message.isFrom(pipeline.element): return
            case .error: return
            default: break
            }
        }
    }

    /// A sink that has its first packet must not keep those of the other streams from the file, which one thread reads.
    private static let queue = "queue max-size-buffers=0 max-size-time=0"

    /// Streams of subtitles may have nothing for a long time, in nanoseconds.
    private static let patience: UInt64 = 2_000_000_000

    private mutating func add(_ tags: GStreamer.TagList) {
        names.formUnion(tags.metadataNames)
        recorded = recorded ?? tags.recorded
    }
}
