import CommandKit
import GStreamerKit
import MediaFiles
import Synchronization

/// The plan of a video, made before the work begins.
struct VideoPlan: Sendable {
    let job: Job
    let input: VideoInput
    /// The frames as they are read.
    let format: PictureFormat
    /// The parts of the frames that are shown; nil for whole frames.
    let framed: FramedVideo?
    let tracks: OutputTracks
    let selection: FrameSelection
    private let encoding: VideoEncoding
    private let metadata: HDRMetadata

    init(_ job: Job, _ container: Container) throws(ToolError) {
        let input = try VideoInput.open(job.source, named: job.inputName)
        (self.job, self.input) = (job, input)
        format = try PictureFormat(of: input, for: job)
        selection = FrameSelection(job.range, of: input)
        try input.checkStart(job.range)
        try selection.checkGaps(job, container, input)
        tracks = try OutputTracks(
            of: input, in: container, job.range, hidesContents: job.hidesContents, format.rate)
        metadata = format.depth == .ten ? try HDRMetadata(of: input) : HDRMetadata.none
        framed = try FramedVideo(job, format)
        encoding = try VideoEncoding(
            container, format.framed(framed), input.unit, input.meanRate, job, metadata)
    }

    /// Changes besides the background that are known before the work, for the user.
    var losses: [String] {
        format.notes + depthNote + metadataNote + tracks.notes + (framed?.notes ?? [])
    }

    private var metadataNote: [String] {
        guard !metadata.isEmpty, !encoding.keepsMetadata else { return [] }
        return [
            "left out: HDR10's metadata (mastering display, light level), which h265 in .mp4, .mov and .mkv has"
        ]
    }

    private var depthNote: [String] {
        let bits = input.track.video.bits
        guard let kept = Int(format.depth.rawValue), kept < bits else { return [] }
        let advice = kept < 10 ? "; --bits=10 keeps more" : ""
        return ["the input has \(bits) bits per sample, and is written with \(kept)\(advice)"]
    }

    /// Length of the output in nanoseconds; nil where it is not known.
    var length: UInt64? { input.length > 0 ? job.range.length(of: input.length) : nil }

    var inputCheck: InputCheck { InputCheck(job, input) }
    var outputCheck: OutputCheck { OutputCheck(self) }

    /// ffmpeg's arguments for frames or packets of the whole output.
    func muxing(to path: String) -> VideoMuxing {
        // At most 16 frames are decoded ahead (ITU-T H.264, A.3.1; H.265, A.4.2).
        let first = (selection.expected ?? []).prefix(17).map { selection.outputTicks(of: $0, in: input) }
        return VideoMuxing(
            tracks, encoding, input.unit, firstTimes: first, frames: selection.expected?.count, last: last,
            to: path)
    }

    /// ffmpeg's arguments that encode the frames of a segment into a file that keeps their times.
    func segmentArguments(to path: String) -> [String] {
        ["-copyts", "-f", "nut", "-i", "pipe:0"] + encoding.arguments
            + ["-avoid_negative_ts", "disabled", "-f", "nut", "-write_index", "0", "-y", FFmpeg.file(path)]
    }

    /// Time of the last frame in the output, in ticks, and how long it is shown.
    private var last: (time: Int, duration: Int)? {
        // Only in rare files the last packet of VP8 is hidden, and then no frame has its time.
        let lastPacket = selection.end == nil ? input.frameTimes.last : nil
        guard let time = selection.expected?.last ?? lastPacket, let duration = input.lastDuration
        else { return nil }
        var shown = Int(clamping: duration)
        if let end = job.range.end { shown = min(shown, Int(clamping: end) - Int(clamping: time)) }
        return (
            selection.outputTicks(of: time, in: input),
            max(0, shown).rescaled(from: .nanosecond, to: input.unit)
        )
    }
}

/// Makes one video, a segment of it, or its list of segments.
struct VideoTask {
    private let job: Job
    private let options: VideoOptions
    private let reporter: Reporter
    private let container: Container

    init(_ job: Job, _ container: Container, _ options: VideoOptions, _ reporter: Reporter) {
        (self.job, self.container, self.options, self.reporter) = (job, container, options, reporter)
    }

    func run() throws(ToolError) {
        switch options.segments.task {
        case .video: try makeVideo()
        case .plan: try planSegments()
        case .segment(let number): try makeSegment(number)
        }
    }

    private func makeVideo() throws(ToolError) {
        // An output that cannot be written is an error before the input is read.
        let place = try job.outputPlace(overwrites: options.overwrites)
        guard InputPlace(job.input) != .file else { return try makeVideo(in: place) }
        let end = job.range.end.map { Double($0) / 1e9 }
        try make(FetchedVideo(job.input, until: end, rate: options.sequenceRate), in: place)
    }

    /// Makes the video of a file that was fetched, which lasts as long as it is used here.
    private func make(_ video: FetchedVideo, in place: any OutputPlace) throws(ToolError) {
        defer { withExtendedLifetime(video) {} }
        try VideoTask(job.fetched(to: video.path), container, options, reporter).makeVideo(in: place)
    }

    private func makeVideo(in place: any OutputPlace) throws(ToolError) {
        let plan = try VideoPlan(job, container)
        if plan.input.hasRestartingClock, job.source == job.input {
            _ = try plan.inputCheck.checkInput()
            return try make(FetchedVideo(withOneClock: job.input), in: place)
        }
        let losses = plan.losses + (try plan.inputCheck.checkInput())
        var folder = try workFolder(of: plan)
        try folder?.removeDamaged()
        // The work may take hours: losses are reported before it.
        reporter.started(job, losses + (folder.map { $0.notes + $0.continuation } ?? []))
        var outcome = try make(plan, folder, at: place.temporaryPath)
        outcome.notes += try plan.outputCheck.checkWritten(place.temporaryPath, outcome.times)
        try place.publish()
        folder?.remove()
        reporter.finished(job, outcome)
    }

    private func make(_ plan: VideoPlan, _ folder: WorkFolder?, at path: String) throws(ToolError) -> Outcome
    {
        guard let folder else {
            return try VideoMaker(plan, writingTo: path).run { reporter.progress(job, $0) }
        }
        let video = SegmentedVideo(plan, folder, workers: options.segments.workerCount)
        do throws(ToolError) {
            return try video.run(writingTo: path) { reporter.progress(job, $0) }
        } catch {
            // A folder without segments is of no use to the next run.
            if folder.missing.count == folder.segments.count { folder.remove() }
            throw error.signal.map { ToolError(interruptedBy: $0, folder.interruption) } ?? error
        }
    }

    private func planSegments() throws(ToolError) {
        try OutputFile.checkPlace(job.output, options.overwrites)
        let plan = try VideoPlan(job, container)
        _ = try plan.inputCheck.checkInput()
        reporter.planned(job, try workFolder(of: plan)?.segments ?? [])
    }

    private func makeSegment(_ number: Int) throws(ToolError) {
        guard var folder = try WorkFolder.opened(job, options.segments.nanoseconds),
            folder.segments.indices.contains(number)
        else { throw ToolError(.usage, "\(job.output) has no segment \(number); --plan lists the segments.") }
        let plan = try VideoPlan(job, container)
        try folder.removeDamaged(only: number)
        reporter.started(job, folder.notes)
        let video = SegmentedVideo(plan, folder, workers: 1)
        var outcome = try video.makeSegments([number]) { reporter.progress(job, $0) }
        outcome.progress.framesBefore = 0
        reporter.finished(job, outcome)
    }

    /// The folder in which segments of a long video are kept; nil for a video that is made in one piece.
    private func workFolder(of plan: VideoPlan) throws(ToolError) -> WorkFolder? {
        guard job.canBeCut, options.segments.length > 0 else { return nil }
        return try WorkFolder.open(plan, length: options.segments.nanoseconds, overwrites: options.overwrites)
    }
}

extension WorkFolder {
    private var finishedCount: Int { segments.count - missing.count }

    /// A note where segments of a previous run are there.
    fileprivate var continuation: [String] {
        finishedCount == 0
            ? [] : ["continues: \(finishedCount) of \(segments.count) segments are there from a previous run"]
    }

    /// The message after an interruption.
    fileprivate var interruption: String {
        "interrupted; \(finishedCount) of \(segments.count) segments are kept in \(path): the same command continues"
    }
}

/// Makes a video in one piece: ffmpeg reads and writes it, GStreamer composes its frames.
final class VideoMaker {
    private let job: Job
    private let plan: VideoPlan
    private let work: PictureWork
    private let running: RunningPipeline

    /// - Parameter path: the file to write.
    init(_ plan: VideoPlan, writingTo path: String) throws(ToolError) {
        (job, self.plan) = (plan.job, plan)
        let selection = plan.selection
        let muxing = plan.muxing(to: path)
        let name = job.outputName
        let work = try PictureWork(plan, selection, from: selection.decodingStart(of: plan.input)) {
            track, first throws(ToolError) in
            try FrameEncoder(
                track, muxing.encodingArguments(first: first), reading: plan.input, writing: name)
        }
        self.work = work
        running = RunningPipeline(work, input: job.inputName, output: job.outputName)
    }

    /// Works to the end.
    ///
    /// - Parameter report: called several times a second with the progress.
    func run(_ report: (ProgressSnapshot) -> Void) throws(ToolError) -> Outcome {
        do throws(ToolError) {
            try running.start()
            try work.begin()
            try running.run { report(work.progress(of: plan.length)) }
            try work.finish()
        } catch {
            work.stop()
            throw error
        }
        let times = work.decodedTimes
        let notes = try plan.inputCheck.checkDecoded(times, plan.selection, work.diagnostics)
        return Outcome(
            progress: work.progress(of: plan.length), notes: notes,
            times: times.map { plan.selection.outputTicks(of: $0, in: plan.input) })
    }
}
