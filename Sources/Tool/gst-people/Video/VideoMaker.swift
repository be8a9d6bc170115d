import CommandKit
import GStreamerKit
import MediaFiles
import Synchronization

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
