import CommandKit
import GStreamerKit

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
