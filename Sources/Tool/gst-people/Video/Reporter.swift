import CommandKit
import FileNames
import GStreamerKit
import Glibc
import JSON
import Synchronization

/// Reports the progress of files: as lines, errors only, or one JSON object per line.
final class Reporter {
    private let verbosity: Verbosity
    private let isTerminal: Bool
    private var nextReport = 0.0
    private var hasWarned = false
    /// Seconds between two reports; a log needs fewer.
    private var interval: Double { isTerminal || verbosity == .json ? 1 : 10 }

    private let command: String
    /// Whether the standard output gets the video.
    private let usesErrors: Bool

    init(_ verbosity: Verbosity, command: String, usesErrors: Bool = false) {
        (self.verbosity, self.command, self.usesErrors) = (verbosity, command, usesErrors)
        isTerminal = isatty(usesErrors ? STDERR_FILENO : STDOUT_FILENO) == 1
    }

    /// - Parameter losses: parts of the input that the output will not hold.
    func started(_ job: Job, _ losses: [String] = []) {
        (nextReport, hasWarned) = (interval, false)
        say(
            "\(job.inputName) -> \(job.outputName)" + losses.map { "\n  note: \($0)" }.joined(),
            event("started", input: job.input, output: job.output)
                + [("notes", .array(losses.map(JSON.string)))])
    }

    /// Reports the progress of the file, at intervals.
    func progress(_ job: Job, _ progress: ProgressSnapshot) {
        guard progress.frames > 0, progress.elapsed >= nextReport else { return }
        nextReport = progress.elapsed + interval
        warn(progress)
        say(
            line(progress), ends: isTerminal ? "\r" : "\n",
            [
                ("event", .string("progress")), ("input", .string(job.input)),
                ("frames", .integer(progress.frames)), ("percent", .rounded(progress.share.map { $0 * 100 })),
                ("framesPerSecond", .rounded(progress.framesPerSecond)),
                ("secondsLeft", .rounded(progress.secondsLeft)),
            ])
    }

    func finished(_ job: Job, _ outcome: Outcome) {
        let progress = outcome.progress
        let frames = progress.frames + progress.framesBefore
        let rate = "\(progress.framesPerSecond.text(decimals: 1)) frames/s"
        let notes = outcome.notes.map { "\n  note: \($0)" }.joined()
        let time = "in \(Int(progress.elapsed.rounded())) s"
        let done = "\(frames) frame\(frames == 1 ? "" : "s") \(time), \(rate)"
        say(
            "  \(job.isStill ? time : done)\(padding)\(notes)",
            event("finished", input: job.input, output: job.output) + [
                ("frames", .integer(frames)), ("seconds", .rounded(progress.elapsed)),
                ("notes", .array(outcome.notes.map(JSON.string))),
            ])
    }

    /// Reports the segments of a video; one that is made in one piece has one.
    func planned(_ job: Job, _ segments: [VideoSegment]) {
        let frames = segments.map(\.frames).reduce(0, +)
        let count = max(1, segments.count)
        say(
            "\(job.output): \(count) segments",
            event("plan", input: job.input, output: job.output) + [
                ("segments", .integer(count)), ("frames", segments.isEmpty ? .null : .integer(frames)),
            ])
    }

    func skipped(_ pair: FilePair) {
        say(
            "\(pair.output): exists already, skipped",
            event("skipped", input: pair.input, output: pair.output))
    }

    /// Reports an entry of a folder that is not taken.
    func leftOut(_ path: String, _ reason: String) {
        say(
            "\(path): not taken, \(reason)",
            [("event", .string("not-taken")), ("file", .string(path)), ("reason", .string(reason))])
    }

    func failed(_ pair: FilePair, _ error: ToolError) {
        failed(error, about: [("input", .string(pair.input)), ("output", .string(pair.output))])
    }

    /// Reports a failure, also one before any file.
    func failed(_ error: ToolError, about fields: Fields = []) {
        let event: Fields = [
            ("event", .string("failed")), ("code", .integer(Int(error.status))),
            ("message", .string(error.message)),
        ]
        if verbosity == .json { return print(JSON.object(event + fields).text.legible + "\n") }
        if verbosity == .normal, isTerminal { print("\n") }
        printDiagnostic("gst-people \(command): \(error.message)")
    }

    func finished(_ summary: Summary) {
        let failed = summary.failures.count
        say(
            "\(summary.done) done, \(summary.skipped) skipped, \(failed) failed"
                + (summary.leftOut > 0 ? ", \(summary.leftOut) not taken" : ""),
            [
                ("event", .string("summary")), ("done", .integer(summary.done)),
                ("skipped", .integer(summary.skipped)), ("failed", .integer(failed)),
                ("notTaken", .integer(summary.leftOut)),
            ])
    }

    // MARK: - Output

    typealias Fields = [(name: String, value: JSON)]

    private func event(_ name: String, input: String, output: String) -> Fields {
        [("event", .string(name)), ("input", .string(input)), ("output", .string(output))]
    }

    private func line(_ progress: ProgressSnapshot) -> String {
        let share = progress.share.map { "\(($0 * 100).text(decimals: 0)) %  " } ?? ""
        let left = progress.secondsLeft.map { ", \($0.clockTime) left" } ?? ""
        let rate = progress.framesPerSecond.text(decimals: 1)
        return "  \(share)\(progress.frames) frames, \(rate) frames/s\(left)\(padding)"
    }

    /// Reports once, when the pace is known, that the work takes more than a day.
    private func warn(_ progress: ProgressSnapshot) {
        let (day, settled) = (86400.0, 10.0)
        guard !hasWarned, verbosity == .normal, progress.elapsed > settled,
            let left = progress.secondsLeft, left > day
        else { return }
        hasWarned = true
        printDiagnostic(
            "gst-people \(command): this will take about \((left / day).text(decimals: 1)) days; "
                + "--quality=fast is quicker")
    }

    /// Overwrites the rest of a longer line on a terminal.
    private var padding: String { isTerminal ? "          " : "" }

    private func say(_ text: String, ends terminator: String = "\n", _ event: Fields) {
        switch verbosity {
        case .quiet: break
        case .json: print(JSON.object(event).text.legible + "\n")
        case .normal: print(text + terminator)
        }
    }

    /// The file matters more than its progress report: it is finished even where the report cannot be written.
    private func print(_ text: String) {
        if usesErrors { printDiagnostic(text, ends: "") } else { _ = try? printText(text) }
    }
}

extension JSON {
    /// A number with one decimal.
    fileprivate static func rounded(_ number: Double?) -> JSON {
        number.map { .number(($0 * 10).rounded() / 10) } ?? .null
    }
}

/// Counts what has been made of a file.
///
/// Counted on streaming threads, read by the main one.
final class Progress: Sendable {
    private struct State {
        var frames = 0
        var first: UInt64?
        var end: UInt64 = 0
    }

    private let state = Mutex(State())
    private let started = ContinuousClock.now

    /// Counts a frame; times are in nanoseconds of the stream.
    func count(presented time: UInt64?, duration: UInt64) {
        state.withLock { state in
            state.frames += 1
            guard let time else { return }
            state.first = min(state.first ?? time, time)
            state.end = max(state.end, time.addingReportingOverflow(duration).partialValue)
        }
    }

    /// Counts the buffers that pass `pad`.
    func count(_ pad: GStreamer.Pad) {
        pad.onBuffer { [self] info in
            guard let buffer = info.buffer else { return }
            count(presented: buffer.presentationTime, duration: buffer.duration ?? 0)
        }
    }

    /// The progress until now.
    ///
    /// - Parameter total: length of the input in nanoseconds, if known.
    func snapshot(total: UInt64?) -> ProgressSnapshot {
        let state = state.withLock { $0 }
        let done = Double(state.end &- (state.first ?? state.end))
        let share = total.flatMap { $0 > 0 ? min(1, done / Double($0)) : nil }
        return ProgressSnapshot(
            frames: state.frames, mediaSeconds: done / 1e9,
            elapsed: (ContinuousClock.now - started).inSeconds,
            share: share)
    }
}

/// The progress of a file at one moment.
struct ProgressSnapshot: Equatable {
    var frames: Int
    /// Length of what was composed.
    var mediaSeconds: Double
    /// Seconds since the start.
    var elapsed: Double
    /// The share of the input that is done, 0 to 1; nil when its length is unknown.
    var share: Double?
    /// Share and frames that were there before the start.
    var shareBefore = 0.0
    var framesBefore = 0

    var framesPerSecond: Double { elapsed > 0 ? Double(frames) / elapsed : 0 }
    /// Seconds until the end at the pace until now.
    var secondsLeft: Double? {
        share.flatMap { $0 > shareBefore ? elapsed / ($0 - shareBefore) * (1 - $0) : nil }
    }
}

/// The result of a video or image that was made.
struct Outcome {
    var progress: ProgressSnapshot
    /// Changes and losses besides the background, for the user.
    var notes: [String]
    /// Times of the frames of a video in ticks of the input, ascending.
    var times: [Int] = []
}
