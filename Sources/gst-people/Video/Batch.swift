import CommandKit
import GStreamerKit

/// Makes the videos or images that a command line asks for.
///
/// - Parameters:
///   - arguments: IN and OUT, or several IN and a folder.
///   - command: what messages name.
/// - Returns: the program's exit status.
func makeFiles(_ arguments: [String], _ options: VideoOptions, of command: String) throws(ToolError) -> Int32
{
    guard let output = arguments.last, arguments.count > 1 else { throw .usage("give IN and OUT") }
    if let end = options.range.end, end <= options.range.start {
        throw .usage("--end must be later than --start")
    }
    if options.keptPerson != nil, options.compositing.choosesPeople {
        throw .usage("give --keep-at or --instances, not both")
    }
    let reporter = Reporter(options.verbosity, command: command)
    do throws(ToolError) {
        GStreamer.initialize()
        let paths = try OutputPaths(of: arguments.dropLast(), in: output, options)
        var batch = Batch(paths, options, reporter)
        return batch.run()
    } catch {
        reporter.failed(error)
        return error.status
    }
}

/// All files of one run, one after the other.
struct Batch {
    private let options: VideoOptions
    private let paths: OutputPaths
    private let reporter: Reporter
    private var summary = Summary()

    init(_ paths: OutputPaths, _ options: VideoOptions, _ reporter: Reporter) {
        (self.paths, self.options, self.reporter) = (paths, options, reporter)
    }

    /// Makes the files; one that fails does not stop the others.
    ///
    /// - Returns: the program's exit status.
    mutating func run() -> Int32 {
        for pair in paths.pairs {
            do throws(ToolError) { try make(pair) } catch {
                reporter.failed(pair, error)
                if error.signal != nil { return error.status }
                summary.failures.append(error.code)
            }
        }
        if paths.isFolder { reporter.finished(summary) }
        return exitCode.rawValue
    }

    private var exitCode: ExitCode {
        paths.isFolder && !summary.failures.isEmpty ? .failed : summary.failures.first ?? .success
    }

    private mutating func make(_ pair: FilePair) throws(ToolError) {
        if let job = try unfinishedJob(pair) {
            try transcode(job)
            summary.done += 1
        } else {
            summary.skipped += 1
            reporter.skipped(pair)
        }
    }

    /// What is to be done; nil when an earlier run has done it.
    private func unfinishedJob(_ pair: FilePair) throws(ToolError) -> Job? {
        if let other = pair.conflictingInput {
            throw ToolError(.usage, "\(pair.output) would be made from \(other), too.")
        }
        let job = try Job(pair, options)
        let isDone = paths.isFolder && FileSystem.exists(job.output)
        return isDone && !options.overwrites ? nil : job
    }

    private func transcode(_ job: Job) throws(ToolError) {
        switch options.segments.task {
        case .video: try makeVideo(job)
        case .plan: reporter.planned(job, try workFolder(of: job)?.segments ?? [])
        case .segment(let number): try makeSegment(number, of: job)
        }
    }

    private func makeSegment(_ number: Int, of job: Job) throws(ToolError) {
        guard let folder = try WorkFolder.opened(job, options.segments.nanoseconds),
            folder.segments.indices.contains(number)
        else { throw ToolError(.usage, "\(job.output) has no segment \(number); --plan lists the segments.") }
        reporter.started(job)
        let video = SegmentedVideo(job, folder, workers: 1)
        var outcome = try video.makeSegments([number]) { reporter.progress(job, $0) }
        outcome.progress.framesBefore = 0
        reporter.finished(job, outcome)
    }

    private func makeVideo(_ job: Job) throws(ToolError) {
        let file = try OutputFile(path: job.output, overwrites: options.overwrites)
        // The work may take hours: losses are said before it.
        reporter.started(job, Losses(job)?.notes() ?? [])
        let folder = try workFolder(of: job)
        // A folder without segments is of no use to the next run.
        defer { if let folder, folder.missing.count == folder.segments.count { folder.remove() } }
        var outcome = try make(job, folder, at: file.temporaryPath)
        switch job.format {
        case .video: outcome.notes += KeptMetadata(job).complete(file.temporaryPath)
        case .still: outcome.notes += job.frameNote
        }
        try file.publish()
        folder?.remove()
        reporter.finished(job, outcome)
    }

    /// Where the segments of a long video are kept.
    private func workFolder(of job: Job) throws(ToolError) -> WorkFolder? {
        guard job.canBeCut, options.segments.length > 0, GStreamer.Registry.has(element: "gdppay") else {
            return nil
        }
        return try WorkFolder.open(
            job, length: options.segments.nanoseconds, overwrites: options.overwrites)
    }

    private func make(_ job: Job, _ folder: WorkFolder?, at path: String) throws(ToolError) -> Outcome {
        guard let folder else {
            return try Transcoder(job, writingTo: path).run { reporter.progress(job, $0) }
        }
        let video = SegmentedVideo(job, folder, workers: options.segments.workerCount)
        do throws(ToolError) {
            return try video.run(writingTo: path) { reporter.progress(job, $0) }
        } catch {
            guard video.isInexact else { throw error }
            folder.remove()
            return try make(job, nil, at: path)
        }
    }
}

/// What became of several files.
struct Summary {
    var done = 0
    var skipped = 0
    var failures: [ExitCode] = []
}
