import CommandKit

/// Makes a long video in segments, several at once, and joins them.
///
/// Finished segments stay when the program is ended, and are used by the next run.
final class SegmentedVideo {
    private let plan: VideoPlan
    private let folder: WorkFolder
    /// Segments that are made at once.
    private let workers: Int
    private var running: [SegmentMaker] = []
    private var notes: [String] = []
    private let started = ContinuousClock.now
    private let framesBefore: Int
    private var framesDone: Int

    init(_ plan: VideoPlan, _ folder: WorkFolder, workers: Int) {
        (self.plan, self.folder, self.workers) = (plan, folder, max(1, workers))
        framesBefore = folder.segments.indices.filter(folder.isDone).map { folder.segments[$0].frames }
            .reduce(0, +)
        framesDone = framesBefore
    }

    /// Makes the missing segments, and the video.
    ///
    /// - Parameters:
    ///   - path: the file to write.
    ///   - report: called several times a second with the progress.
    func run(writingTo path: String, _ report: (ProgressSnapshot) -> Void) throws(ToolError) -> Outcome {
        _ = try makeSegments(folder.missing, report)
        for number in folder.segments.indices {
            for note in folder.notes(number) where !notes.contains(note) { notes.append(note) }
        }
        let times = try VideoJoiner(plan, folder, writingTo: path).run { report(progress) }
        return Outcome(progress: progress, notes: notes, times: times)
    }

    /// Makes some of the segments; finished ones stay.
    func makeSegments(
        _ numbers: [Int], _ report: (ProgressSnapshot) -> Void
    ) throws(ToolError) -> Outcome {
        var waiting = numbers.filter { !folder.isDone($0) }[...]
        // Unfinished segments leave no files.
        defer { running = [] }
        var watch = StallWatch(plan.job.inputName)
        while !waiting.isEmpty || !running.isEmpty {
            if let signal = Signals.pending() { throw ToolError(interruptedBy: signal) }
            while running.count < workers, let number = waiting.popFirst() {
                let maker = try SegmentMaker(plan, folder, number)
                try maker.start()
                running.append(maker)
            }
            try finishSome()
            report(progress)
            try watch.check(running.map(\.place).joined(separator: ", "))
        }
        return Outcome(progress: progress, notes: notes, times: [])
    }

    private func finishSome() throws(ToolError) {
        let patience = RunningPipeline.tenth / UInt64(max(1, running.count))
        var rest: [SegmentMaker] = []
        for maker in running {
            guard try maker.isDone(within: patience) else {
                rest.append(maker)
                continue
            }
            framesDone += maker.progress.frames
            folder.keep(maker.notes, of: maker.number)
        }
        running = rest
    }

    private var progress: ProgressSnapshot {
        let frames = framesDone + running.map(\.progress.frames).reduce(0, +)
        let total = folder.segments.map(\.frames).reduce(0, +)
        let share = { (frames: Int) in total > 0 ? min(1, Double(frames) / Double(total)) : 0 }
        return ProgressSnapshot(
            frames: frames - framesBefore, mediaSeconds: 0,
            elapsed: (ContinuousClock.now - started).inSeconds,
            share: share(frames), shareBefore: share(framesBefore),
            framesBefore: framesBefore)
    }
}
