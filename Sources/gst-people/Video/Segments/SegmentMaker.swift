import CommandKit
import GStreamerKit
import Synchronization

/// Makes one segment of a video: its encoded frames, with their times in the whole video, as a file of GStreamer's data
/// protocol (GDP).
final class SegmentMaker {
    let number: Int
    private let job: Job
    private let segment: VideoSegment
    private let file: OutputFile
    private let linker: StreamLinker
    private let pipeline: RunningPipeline
    private let first = FirstTime()

    init(_ job: Job, _ folder: WorkFolder, _ number: Int) throws(ToolError) {
        (self.job, self.number) = (job, number)
        segment = folder.segments[number]
        file = try OutputFile(path: folder.file(number), overwrites: true)
        let pipeline = try GStreamer.Pipeline.make()
        let video = try VideoChain(pipeline, job)
        video.leaveOut(before: segment.start - job.range.start, first)
        let sink = try pipeline.add(chain: "gdppay ! filesink name=filesink")
        sink.element(named: "filesink")?.set("location", to: file.temporaryPath)
        try link(video.output, sink)
        let range = VideoRange(start: segment.warmUp, end: segment.end)
        let linker = StreamLinker(pipeline, job, video: video, segment: range)
        let decoder = try pipeline.addDecoder(of: job.input)
        self.pipeline = RunningPipeline(
            pipeline, input: job.input, output: folder.path,
            onStreams: { linker.range.begin() }, problem: { linker.problem })
        self.linker = linker
        linker.watch(decoder)
    }

    func start() { pipeline.start() }

    /// Works for that many nanoseconds; true when the segment is done.
    func isDone(within time: UInt64) throws(ToolError) -> Bool {
        guard try pipeline.hasEnded(waiting: time) else { return false }
        pipeline.stop()
        if let problem = linker.problem { throw problem }
        try checkStart()
        try file.publish()
        return true
    }

    /// What was changed besides the background, for the user.
    var notes: [String] { linker.notes }
    var progress: ProgressSnapshot { linker.progress }

    /// Whether the input could not be played from the segment's first frame on; known when it has been played.
    private(set) var isInexact = false

    private func checkStart() throws(ToolError) {
        let expected = segment.start - job.range.start
        if let time = first.value, time <= expected + 2 * VideoRange.tolerance || expected == 0 { return }
        isInexact = true
        let place = (Double(segment.start) / 1e9).clockTime
        throw ToolError(
            .input,
            "\(job.input) cannot be played exactly from \(place) on. Process it in one piece: --segment-length=0."
        )
    }
}

/// The time of the first frame of a segment, in nanoseconds of the output.
final class FirstTime: Sendable {
    private let time = Mutex<UInt64?>(nil)

    var value: UInt64? { time.withLock { $0 } }
    func note(_ time: UInt64) { self.time.withLock { $0 = $0 ?? time } }
}
