import CommandKit
import GStreamerKit
import MediaFiles

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
