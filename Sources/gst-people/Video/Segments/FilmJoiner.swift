import CGStreamer
import CommandKit

/// Joins the segments of a film, and adds the sound of the input; the picture is not encoded again.
final class FilmJoiner {
    private let linker: StreamLinker
    private let pipeline: RunningPipeline

    /// - Parameter path: where to write.
    init(_ job: Job, _ folder: WorkFolder, writingTo path: String) throws(ToolError) {
        let graph = try Graph()
        let picture = try graph.add(
            chain: "splitfilesrc name=segments ! gdpdepay ! queue max-size-buffers=100")
        _ = withElement("segments", in: picture) { set($0, "location", text: folder.pattern) }
        let linker = try StreamLinker(graph: graph, job: job, video: nil)
        guard let muxer = linker.muxer else { throw ToolError(.failed, "Images have no segments.") }
        guard let pad = gst_element_get_static_pad(picture, "src") else {
            throw ToolError(.failed, "The segments have no end.")
        }
        defer { gst_object_unref(pad) }
        JoinedStream.install(on: pad)
        // Headers are written with the first frame: until then all streams must be known.
        let hold = onProbe(pad, GST_PAD_PROBE_TYPE_BLOCK_DOWNSTREAM) { _ in GST_PAD_PROBE_OK }
        try muxer.link(picture: picture)
        let sink = try graph.add("filesink")
        set(sink, "location", text: path)
        try link(muxer.element, sink)
        let decoder = try graph.addDecoder(of: job.input)
        pipeline = try RunningPipeline(
            graph, input: job.input, output: job.output,
            onStreams: {
                linker.range.begin()
                gst_pad_remove_probe(pad, hold)
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
