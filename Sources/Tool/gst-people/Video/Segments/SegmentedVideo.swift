import CommandKit
import FileNames
import GStreamerKit
import Glibc
import MediaFiles

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

/// Makes one segment of a video: its encoded frames, with their times in the output, as a NUT file.
final class SegmentMaker {
    let number: Int
    private let plan: VideoPlan
    private let selection: FrameSelection
    private let file: OutputFile
    private var attempt: (work: PictureWork, running: RunningPipeline)
    private var decodingStart: UInt64
    /// Changes besides the background, for the user.
    private(set) var notes: [String] = []

    init(_ plan: VideoPlan, _ folder: WorkFolder, _ number: Int) throws(ToolError) {
        (self.plan, self.number) = (plan, number)
        selection = FrameSelection(folder.segments[number], of: plan)
        file = try OutputFile(path: folder.file(number), overwrites: true)
        decodingStart = selection.decodingStart(of: plan.input)
        attempt = try Self.attempt(plan, selection, file.temporaryPath, from: decodingStart)
    }

    deinit { attempt.work.stop() }

    private static func attempt(
        _ plan: VideoPlan, _ selection: FrameSelection, _ path: String, from start: UInt64
    ) throws(ToolError) -> (PictureWork, RunningPipeline) {
        let work = try PictureWork(plan, selection, from: start) { track, _ throws(ToolError) in
            try FrameEncoder(track, plan.segmentArguments(to: path), reading: nil, writing: path)
        }
        return (work, RunningPipeline(work, input: plan.job.inputName, output: path))
    }

    func start() throws(ToolError) {
        try attempt.running.start()
        try attempt.work.begin()
    }

    /// Works for that many nanoseconds; true when the segment is done.
    func isDone(within time: UInt64) throws(ToolError) -> Bool {
        guard try attempt.running.hasEnded(waiting: time) else { return false }
        try attempt.work.finish()
        attempt.running.stop()
        let times = attempt.work.decodedTimes
        if times != selection.expected, decodingStart > 0 {
            // The seek led to another place than the index names: the file is decoded from its beginning.
            decodingStart = 0
            attempt = try Self.attempt(plan, selection, file.temporaryPath, from: 0)
            try start()
            return false
        }
        notes = try plan.inputCheck.checkDecoded(times, selection, attempt.work.diagnostics)
        try SegmentSeal.append(to: file.temporaryPath)
        try file.publish()
        return true
    }

    /// The last frame, for messages.
    var place: String { attempt.work.place }
    var progress: ProgressSnapshot { attempt.work.progress(of: nil) }
}

/// Joins the segments of a video, and adds all else of the input; frames are not encoded again.
struct VideoJoiner {
    private let plan: VideoPlan
    private let folder: WorkFolder
    private let path: String

    /// - Parameter path: the file to write.
    init(_ plan: VideoPlan, _ folder: WorkFolder, writingTo path: String) {
        (self.plan, self.folder, self.path) = (plan, folder, path)
    }

    /// Works to the end.
    ///
    /// - Returns: times of the frames, in ticks of the input's track, ascending.
    func run(_ report: () -> Void) throws(ToolError) -> [Int] {
        var output: FrameEncoder?
        var times: [Int] = []
        do throws(ToolError) {
            for number in folder.segments.indices {
                try copy(number, to: &output, &times)
                if let signal = Signals.pending() { throw ToolError(interruptedBy: signal) }
                report()
            }
            try output?.finish()
        } catch {
            output?.stop()
            throw error
        }
        return times.sorted()
    }

    private func copy(_ number: Int, to output: inout FrameEncoder?, _ times: inout [Int]) throws(ToolError) {
        guard try SegmentSeal.isIntact(folder.file(number)) else { throw damaged(number) }
        let descriptor = open(folder.file(number).fileName, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileSystem.unwritable(folder.file(number)) }
        defer { close(descriptor) }
        guard var reader = try NUTReader.open(descriptor) else { throw damaged(number) }
        var bytes: [UInt8] = []
        let unit = plan.input.unit
        while var packet = try reader.next() {
            packet.time = packet.time.rescaled(from: reader.track.timeBase, to: unit)
            bytes.removeAll(keepingCapacity: true)
            bytes.append(contentsOf: repeatElement(0, count: packet.byteCount))
            try read(&reader, into: &bytes)
            let encoder: FrameEncoder
            if let output {
                encoder = output
            } else {
                encoder = try start(reader.track, first: packet.time)
                output = encoder
            }
            try write(bytes, packet, to: encoder)
            times.append(packet.time)
        }
    }

    private func start(_ track: NUTTrack, first: Int) throws(ToolError) -> FrameEncoder {
        var track = track
        (track.timeBase, track.rate) = (plan.input.unit, plan.format.rate)
        let arguments = plan.muxing(to: path).copyingArguments(first: first, delay: track.decodeDelay)
        return try FrameEncoder(track, arguments, reading: plan.input, writing: plan.job.output)
    }

    private func read(_ reader: inout NUTReader, into bytes: inout [UInt8]) throws(ToolError) {
        var outcome: Result<Void, ToolError> = .success(())
        bytes.withUnsafeMutableBytes { bytes in
            do throws(ToolError) { try reader.read(into: bytes) } catch { outcome = .failure(error) }
        }
        try outcome.get()
    }

    private func write(_ bytes: [UInt8], _ packet: NUTPacket, to encoder: FrameEncoder) throws(ToolError) {
        var outcome: Result<Void, ToolError> = .success(())
        bytes.withUnsafeBytes { bytes in
            do throws(ToolError) { try encoder.write(bytes, packet) } catch { outcome = .failure(error) }
        }
        try outcome.get()
    }

    private func damaged(_ number: Int) -> ToolError {
        ToolError(
            .failed,
            "\(folder.file(number)) has changed since it was written. Give the same command again to replace it."
        )
    }
}
