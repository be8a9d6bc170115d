import CGStreamer
import CommandKit

/// Makes one file: input, decoder, `personsegment ! blendmask`, encoder, muxer, output.
final class Transcoder {
    private let linker: StreamLinker
    private let pipeline: RunningPipeline

    /// - Parameter path: where to write.
    init(_ job: Job, writingTo path: String) throws(ToolError) {
        let graph = try Graph()
        let sink = try graph.add("filesink")
        set(sink, "location", text: path)
        let video = try VideoChain(graph: graph, job: job)
        let linker = try StreamLinker(graph: graph, job: job, video: video)
        if let muxer = linker.muxer {
            try muxer.link(picture: video.output)
            try link(muxer.element, sink)
        } else {
            try link(video.output, sink)
        }
        self.linker = linker
        let decoder = try graph.addDecoder(of: job.input)
        pipeline = try RunningPipeline(
            graph, input: job.input, output: job.output,
            onStreams: { linker.range.begin() }, problem: { linker.problem })
        linker.watch(decoder)
    }

    /// Works to the end.
    ///
    /// - Parameter report: called several times a second with the progress.
    func run(_ report: (ProgressSnapshot) -> Void) throws(ToolError) -> Outcome {
        try pipeline.run { report(linker.progress) }
        return try linker.outcome()
    }
}

extension Graph {
    /// Adds what reads and decodes a file: a decodebin.
    func addDecoder(of path: String) throws(ToolError) -> Element {
        let source = try add("filesrc")
        set(source, "location", text: path)
        EndlessReading.stop(at: source)
        try ImageDecoderRanks.adjust(for: path)
        let decoder = try add("decodebin")
        try link(source, decoder)
        return decoder
    }
}

/// What was made.
struct Outcome {
    var progress: ProgressSnapshot
    /// What was changed or left out besides the background, for the user.
    var notes: [String]
}
