import CommandKit
import MediaFiles

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
    var losses: [String] { format.notes + depthNote + metadataNote + tracks.notes }

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
