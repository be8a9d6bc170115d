import CommandKit
import Glibc
import MediaFiles

/// One frame of a video as a PNG file, upright and with square pixels, which goes with this value.
final class ExtractedFrame {
    let path: String

    /// Decodes the frame that is shown at the start of the job's range.
    init(of job: Job) throws(ToolError) {
        let input = try VideoInput(path: job.input)
        if let range = PictureColors(of: input.track.video).highDynamicRange {
            throw .highDynamicRange(job, range)
        }
        try input.checkStart(job.range)
        path = try Self.temporaryFile()
        let result = try FFmpeg.run(Self.arguments(input, FrameSelection(job.range, of: input), path))
        var status = stat()
        guard result.isDone, stat(path, &status) == 0, status.st_size > 0 else {
            throw .unreadable(job.input, result.diagnostics)
        }
    }

    deinit { unlink(path) }

    private static func temporaryFile() throws(ToolError) -> String {
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var name = Array("\(folder)/gst-people-XXXXXX.png".utf8CString)
        let descriptor = mkstemps(&name, 4)
        let path = name.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } } ?? ""
        guard descriptor >= 0 else { throw FileSystem.unwritable(path) }
        close(descriptor)
        return path
    }

    private static func arguments(_ input: VideoInput, _ selection: FrameSelection, _ path: String)
        -> [String]
    {
        let unit = input.unit
        // Half a millisecond before the frame, in seconds of the file's own clock.
        let time = Double(input.ticks(selection.first)) * unit.value - Double(VideoRange.tolerance) / 1e9
        let start = selection.decodingStart(of: input)
        var arguments = ["-copyts"]
        if start > 0 { arguments += ["-noaccurate_seek", "-ss", (Double(start) / 1e9).text(decimals: 6)] }
        let pixels = input.track.video.bits > 8 ? "rgb48be" : "rgb24"
        let filters =
            "select=gte(t\\,\(time.text(decimals: 6))),scale=w=iw*sar:h=ih,setsar=1,format=\(pixels)"
        return arguments + input.media.arguments + [
            "-map", "0:\(input.track.index)", "-filter:v", filters, "-frames:v", "1", "-update", "1", "-c:v",
            "png",
            "-f", "image2", "-y", FFmpeg.file(path),
        ]
    }
}
