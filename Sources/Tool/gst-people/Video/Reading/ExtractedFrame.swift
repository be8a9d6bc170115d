import CommandKit
import Glibc
import MediaFiles

/// One frame of a video as a PNG file, upright and with square pixels; the file is removed with this value.
final class ExtractedFrame {
    private let file: UnnamedFile
    private let scan: PictureScan
    var path: String { file.path }

    /// Decodes the frame that is shown at the start of the job's range.
    init(of job: Job) throws(ToolError) {
        let input = try VideoInput.open(job.source, named: job.inputName)
        scan = try PictureScan(of: input)
        if let range = PictureColors(of: input.track.video).highDynamicRange {
            throw .highDynamicRange(job, range)
        }
        try input.checkStart(job.range)
        file = try UnnamedFile()
        let selection = FrameSelection(job.range, of: input)
        if selection.expected == nil, job.range.start > 0,
            try decode(argumentsForLastFrame(input, before: job.range.start, path)) == nil
        {
            return
        }
        if let diagnostics = try decode(arguments(input, selection, path)) {
            throw .unreadable(job.inputName, diagnostics)
        }
    }

    /// - Returns: nil once there is a frame, or ffmpeg's messages.
    private func decode(_ arguments: [String]) throws(ToolError) -> Diagnostics? {
        let result = try FFmpeg.run(arguments)
        var status = stat()
        let isDone = result.isDone && stat(path, &status) == 0 && status.st_size > 0
        return isDone ? nil : result.diagnostics
    }

    private func arguments(_ input: VideoInput, _ selection: FrameSelection, _ path: String)
        -> [String]
    {
        let first = Self.seconds(selection.first, input)
        let time = (first - Self.tolerance).text(decimals: 6)
        return Self.reading(input, from: selection.decodingStart(of: input))
            + writing(input, at: first, "select=gte(t\\,\(time))", ["-frames:v", "1"], path)
    }

    /// Arguments for the frame that is shown at a time, if the shown frames are unknown before decoding: each frame replaces
    /// the one before.
    private func argumentsForLastFrame(
        _ input: VideoInput, before time: UInt64, _ path: String
    ) -> [String] {
        let start = input.isContinuous ? input.keyTimes.last { $0 <= time } ?? 0 : 0
        let last = Self.seconds(time, input)
        let end = (last + Self.tolerance).text(decimals: 6)
        return Self.reading(input, from: start) + writing(input, at: last, "trim=end=\(end)", [], path)
    }

    /// Half a millisecond, in seconds.
    private static let tolerance = Double(VideoRange.tolerance) / 1e9

    /// A time in seconds of the file's own clock.
    private static func seconds(_ time: UInt64, _ input: VideoInput) -> Double {
        Double(input.ticks(time)) * input.unit.value
    }

    private static func reading(_ input: VideoInput, from start: UInt64) -> [String] {
        let seek = start > 0 ? ["-noaccurate_seek", "-ss", (Double(start) / 1e9).text(decimals: 6)] : []
        return ["-copyts"] + seek + input.track.decoderArguments + input.media.arguments
    }

    /// - Parameter seconds: time of the frame by the file's own clock.
    private func writing(
        _ input: VideoInput, at seconds: Double, _ choice: String, _ options: [String], _ path: String
    ) -> [String] {
        let pixels = input.track.video.bits > 8 ? "rgb48be" : "rgb24"
        // Without the thousandth, a rounded aspect may cost a column.
        let width = input.shapes.displayAspect(at: seconds).map { "trunc(ih*\($0)+0.001)" } ?? "iw*sar"
        // The PNG gets neither gAMA nor cHRM of the video's colours: players show BT.709 as sRGB.
        let colors = "setparams=color_primaries=unknown:color_trc=unknown"
        let filters =
            (scan.filter.map { [$0] } ?? []) + [choice]
            + input.track.erasingFilters(isDeep: input.track.video.bits > 8)
            + ["scale=w=\(width):h=ih", "setsar=1", "format=\(pixels)", colors]
        return ["-map", "0:\(input.track.index)", "-filter:v", filters.joined(separator: ",")] + options + [
            "-update", "1", "-c:v", "png", "-f", "image2", "-y", FFmpeg.file(path),
        ]
    }
}
