import CommandKit
import GStreamerKit

/// Makes one file: input, decoder, `personsegment ! blendmask`, encoder, muxer, output.
final class Transcoder {
    private let linker: StreamLinker
    private let pipeline: RunningPipeline

    /// - Parameter path: where to write.
    init(_ job: Job, writingTo path: String) throws(ToolError) {
        let pipeline = try GStreamer.Pipeline.make()
        let sink = try pipeline.add("filesink")
        sink.set("location", to: path)
        let video = try VideoChain(pipeline, job)
        let linker = try StreamLinker(pipeline, job, video: video)
        if let muxer = linker.muxer {
            try muxer.link(video: video.output)
            try link(muxer.element, sink)
        } else {
            try link(video.output, sink)
        }
        self.linker = linker
        let decoder = try pipeline.addDecoder(of: job.input)
        self.pipeline = RunningPipeline(
            pipeline, input: job.input, output: job.output,
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

extension GStreamer.Pipeline {
    /// Adds what reads and decodes a file: a decodebin.
    func addDecoder(of path: String) throws(ToolError) -> GStreamer.Element {
        let source = try add("filesrc")
        source.set("location", to: path)
        EndlessReading.stop(at: source)
        try adjustImageDecoders(for: path)
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
