import Foundation

/// Tells the user what happens: lines, nothing but errors, or one JSON object per line.
final class Reporter {
    private let verbosity: Verbosity
    private let isTerminal = isatty(STDOUT_FILENO) == 1
    private var nextReport = 0.0
    /// Seconds between two reports; a log needs fewer.
    private var interval: Double { isTerminal || verbosity == .json ? 1 : 10 }

    private let program: String

    init(_ verbosity: Verbosity, isPhoto: Bool) {
        self.verbosity = verbosity
        program = isPhoto ? "photo" : "replace-background"
    }

    func started(_ job: Job) {
        nextReport = interval
        say("\(job.input) -> \(job.output)", ["event": "started", "input": job.input, "output": job.output])
    }

    /// Tells how far the file is, now and then.
    func progress(_ job: Job, _ progress: ProgressSnapshot) {
        guard progress.frames > 0, progress.elapsed >= nextReport else { return }
        nextReport = progress.elapsed + interval
        let percent = progress.share.map { $0 * 100 }
        say(
            line(progress), ends: isTerminal ? "\r" : "\n",
            [
                "event": "progress", "input": job.input, "frames": progress.frames,
                "percent": percent?.rounded(to: 1),
                "framesPerSecond": progress.framesPerSecond.rounded(to: 1),
                "secondsLeft": progress.secondsLeft?.rounded(to: 1),
            ])
    }

    func finished(_ job: Job, _ outcome: Outcome) {
        let progress = outcome.progress
        let rate = "\(progress.framesPerSecond.text(decimals: 1)) frames/s"
        let notes = outcome.notes.map { "\n  note: \($0)" }.joined()
        say(
            "  \(progress.frames) frames in \(Int(progress.elapsed.rounded())) s, \(rate)\(padding)\(notes)",
            [
                "event": "finished", "input": job.input, "output": job.output, "frames": progress.frames,
                "seconds": progress.elapsed.rounded(to: 1), "notes": outcome.notes,
            ])
    }

    func skipped(_ pair: FilePair) {
        say(
            "\(pair.output): there already, skipped",
            ["event": "skipped", "input": pair.input, "output": pair.output])
    }

    func failed(_ pair: FilePair, _ error: ToolError) {
        failed(error, about: ["input": pair.input, "output": pair.output])
    }

    /// A failure before any file, too.
    func failed(_ error: ToolError, about fields: [String: Any?] = [:]) {
        let code = error.signal.map(ExitCode.status) ?? error.code.rawValue
        let event: [String: Any?] = ["event": "failed", "code": code, "message": error.message]
        if verbosity == .json { return write(event.merging(fields) { $1 }) }
        if verbosity == .normal, isTerminal { say("", [:]) }
        FileHandle.standardError.write(Data("\(program): \(error.message)\n".utf8))
    }

    func finished(_ summary: Summary) {
        let failed = summary.failures.count
        say(
            "\(summary.done) done, \(summary.skipped) skipped, \(failed) failed",
            ["event": "summary", "done": summary.done, "skipped": summary.skipped, "failed": failed])
    }

    // MARK: - Output

    private func line(_ progress: ProgressSnapshot) -> String {
        let share = progress.share.map { "\(($0 * 100).text(decimals: 0)) %  " } ?? ""
        let left = progress.secondsLeft.map { ", \(Int($0.rounded())) s left" } ?? ""
        let rate = progress.framesPerSecond.text(decimals: 1)
        return "  \(share)\(progress.frames) frames, \(rate) frames/s\(left)\(padding)"
    }

    /// Covers what is left of a longer line on a terminal.
    private var padding: String { isTerminal ? "          " : "" }

    private func say(_ text: String, ends terminator: String = "\n", _ event: [String: Any?]) {
        switch verbosity {
        case .quiet: break
        case .json: write(event)
        case .normal:
            FileHandle.standardOutput.write(Data((text + terminator).utf8))
        }
    }

    private func write(_ event: [String: Any?]) {
        let event = event.mapValues { $0 ?? NSNull() }
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes]
        guard let json = try? JSONSerialization.data(withJSONObject: event, options: options) else { return }
        FileHandle.standardOutput.write(json + Data("\n".utf8))
    }
}

extension Double {
    /// With that many decimals.
    func text(decimals: Int) -> String { String(format: "%.\(decimals)f", self) }

    fileprivate func rounded(to decimals: Int) -> Double {
        let scale = pow(10, Double(decimals))
        return (self * scale).rounded() / scale
    }
}
