import CommandKit
import FileNames
import GStreamerKit

/// Makes the videos or images that a command line asks for.
///
/// - Parameters:
///   - arguments: IN and OUT, or several IN and a folder.
///   - command: the command's name in messages.
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
    let reporter = Reporter(options.verbosity, command: command, usesErrors: output == "-")
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
        for (path, reason) in paths.leftOut { reporter.leftOut(path, reason) }
        summary.leftOut = paths.leftOut.count
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

    /// The job; nil when an earlier run has done it.
    private func unfinishedJob(_ pair: FilePair) throws(ToolError) -> Job? {
        if let other = pair.conflictingInput {
            throw ToolError(.usage, "\(pair.output) would be made from \(other), too.")
        }
        let job = try Job(pair, options)
        let isDone = paths.isFolder && FileSystem.exists(job.output)
        return isDone && !options.overwrites ? nil : job
    }

    private func transcode(_ job: Job) throws(ToolError) {
        switch job.format {
        case .video(let container): try VideoTask(job, container, options, reporter).run()
        case .still: try makeStill(job)
        }
    }

    private func makeStill(_ job: Job) throws(ToolError) {
        let file = try OutputFile(path: job.output, overwrites: options.overwrites)
        reporter.started(job)
        let outcome = try fetchAndMakeStill(job, file)
        try file.publish()
        reporter.finished(job, outcome)
    }

    private func fetchAndMakeStill(_ job: Job, _ file: OutputFile) throws(ToolError) -> Outcome {
        guard InputPlace(job.input).isFetched else { return try makeStill(job, file) }
        let end = job.range.end.map { Double($0) / 1e9 }
        let fetched = try FetchedVideo(job.input, until: end, rate: options.sequenceRate)
        defer { withExtendedLifetime(fetched) {} }
        return try makeStill(job.fetched(to: fetched.path), file)
    }

    private func makeStill(_ job: Job, _ file: OutputFile) throws(ToolError) -> Outcome {
        if let picture = try PictureJob(job) { return try picture.run(to: file) }
        let type = MediaType(ofFile: job.source)
        if FolderContents.isNamedAsImage(job.input), !(type.map { $0.isImage || $0.isVideo } ?? false) {
            throw ToolError(
                .input,
                "\(job.inputName) cannot be read: its content is that of no picture, despite its name.")
        }
        let frame = try ExtractedFrame(of: job)
        guard let picture = try PictureJob(job.reading(frame.path)) else {
            throw ToolError(.input, "\(job.inputName) contains no image.")
        }
        var outcome = try picture.run(to: file)
        outcome.notes += job.frameNote
        return outcome
    }
}

/// Outcome of several files.
struct Summary {
    var done = 0
    var skipped = 0
    /// Entries of folders that were not taken.
    var leftOut = 0
    var failures: [ExitCode] = []
}

/// An input and the path of its output.
struct FilePair {
    let input: String
    let output: String
    /// Another input with the same output, if there is one.
    let conflictingInput: String?
}

/// The paths of all outputs.
struct OutputPaths {
    /// Whether the command line names a folder.
    let isFolder: Bool
    let pairs: [FilePair]
    /// Entries of folders that are not taken, with the reason.
    let leftOut: [(path: String, reason: String)]

    /// Makes the folder if it is not there.
    ///
    /// - Parameters:
    ///   - inputs: files, and folders of which all videos or images are meant.
    ///   - output: a file or a folder.
    init(of inputs: [String], in output: String, _ options: VideoOptions) throws(ToolError) {
        isFolder =
            FileSystem.isDirectory(output) || output.hasSuffix("/") || inputs.count > 1
            || inputs.contains { FileSystem.isDirectory($0) || NamePattern($0) != nil }
        guard isFolder else {
            pairs = inputs.map { FilePair(input: $0, output: output, conflictingInput: nil) }
            leftOut = []
            return
        }
        if options.format(ofOutput: output) != nil, !FileSystem.isDirectory(output) {
            throw ToolError(.usage, "Several inputs need a folder for the output; \(output) is not a folder.")
        }
        let expanded = try FolderContents.expand(inputs, options.isPhoto ? .image : .video)
        leftOut = expanded.leftOut
        try FileSystem.makeFolder(output)
        pairs = Self.pairs(expanded.files, output, options)
    }

    private static func pairs(_ inputs: [String], _ folder: String, _ options: VideoOptions) -> [FilePair] {
        // By bytes: texts are equal that are written in two ways.
        var taken: [[CChar]: String] = [:]
        return inputs.map { input in
            let output = path(of: input, in: folder, options)
            let earlier = taken[output.fileName]
            taken[output.fileName] = earlier ?? input
            return FilePair(input: input, output: output, conflictingInput: earlier)
        }
    }

    /// The last part of a path or an address.
    private static func name(of input: String) -> String {
        switch InputPlace(input) {
        case .standardInput: return "standard-input"
        case .address:
            let path = input.prefix { $0 != "?" && $0 != "#" }
            return String(path.split(separator: "/").dropFirst(2).last ?? "address")
        case .file, .imageSequence: return String(input.split(separator: "/").last ?? "")
        }
    }

    /// The input's name, with an ending that can be written.
    private static func path(of input: String, in folder: String, _ options: VideoOptions) -> String {
        let name = Self.name(of: input)
        let keeps = options.format(ofOutput: name).map(options.allows) ?? false
        let file = keeps ? name : name.withoutEnding + (options.endings.first ?? "")
        return folder.hasSuffix("/") ? folder + file : "\(folder)/\(file)"
    }
}

extension String {
    /// A file's name without what follows the last point; a point at the start begins no ending.
    fileprivate var withoutEnding: String {
        guard let point = lastIndex(of: "."), point != startIndex else { return self }
        return String(self[..<point])
    }
}
