import Foundation
import TestSupport
import Testing

/// What an output does not hold is said before the work; text subtitles are kept.
struct LossTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func make(_ name: String, _ arguments: String...) throws -> String {
        let made = try Subprocess.run(
            "ffmpeg",
            ["-v", "error", "-f", "lavfi", "-i", "testsrc=s=96x64:r=25:d=2"] + arguments + [
                scratch.path(name)
            ])
        guard made.status == 0 else { throw SetupFailure(made.output) }
        return scratch.path(name)
    }

    private func subtitles() throws -> String {
        let cues = [
            ("00:00:00,100", "00:00:00,900", "One <i>and</i> & two"),
            ("00:00:01,000", "00:00:01,800", "Three"),
        ]
        let text = cues.enumerated().map { "\($0 + 1)\n\($1.0) --> \($1.1)\n\($1.2)\n\n" }.joined()
        return try scratch.file("in.srt", Data(text.utf8))
    }

    /// What is printed before the first frame is made: the notes of the event `started`.
    private func losses(_ input: String, _ container: String, _ options: String...) throws -> String {
        let output = scratch.path("out.\(container)")
        let result = try Subprocess.run(
            Tool.path, ["video", input, output, "--quality=fast", "--json", "--force"] + options)
        #expect(result.status == 0, "\(result.output)")
        let first = result.output.split(separator: "\n").first.map(String.init) ?? ""
        #expect(first.contains("\"started\""), "\(first)")
        return first
    }

    private func cues(_ path: String) throws -> String {
        try Subprocess.run("ffmpeg", ["-v", "error", "-i", path, "-map", "0:s:0", "-f", "srt", "-"]).output
    }

    // MARK: - Subtitles

    @Test(arguments: ["srt", "ass", "mov_text"], ["mp4", "mov", "mkv"])
    func keepsSubtitles(_ kind: String, _ container: String) throws {
        let suffix = kind == "mov_text" ? "mp4" : "mkv"
        let input = try make(
            "in.\(suffix)", "-i", try subtitles(), "-map", "0", "-map", "1", "-c:v", "libx264", "-pix_fmt",
            "yuv420p",
            "-c:s", kind, "-metadata:s:s:0", "language=deu")
        #expect(try losses(input, container).contains("\"notes\": []"))
        let output = scratch.path("out.\(container)")
        let found = try cues(output)
        #expect(found.contains("00:00:00,100 --> 00:00:00,900"), "\(found)")
        // FFmpeg 5 to 7 take the time before the first one off the last one in MP4.
        let ends = container == "mkv" ? ["800"] : ["700", "800"]
        #expect(ends.contains { found.contains("00:00:01,000 --> 00:00:01,\($0)") }, "\(found)")
        #expect(found.contains("& two") && found.contains("Three") && !found.contains("&amp;"), "\(found)")
        let streams = try Subprocess.run("ffprobe", ["-v", "error", "-show_streams", output]).output
        #expect(streams.contains("codec_type=subtitle"))
    }

    @Test func cutsSubtitles() throws {
        let input = try make(
            "in.mkv", "-i", try subtitles(), "-map", "0", "-map", "1", "-c:v", "libx264", "-pix_fmt",
            "yuv420p", "-c:s", "srt")
        _ = try losses(input, "mkv", "--start=0.5", "--end=1.4")
        let found = try cues(scratch.path("out.mkv"))
        #expect(
            found.contains("00:00:00,000 --> 00:00:00,400")
                && found.contains("00:00:00,500 --> 00:00:00,900"), "\(found)")
    }

    @Test func namesAnotherContainerForSubtitles() throws {
        let input = try make(
            "in.mkv", "-i", try subtitles(), "-map", "0", "-map", "1", "-c:v", "libx264", "-pix_fmt",
            "yuv420p", "-c:s", "srt")
        let notes = try losses(input, "webm")
        #expect(notes.contains("subtitles") && notes.contains(".mkv"), "\(notes)")
    }

    // MARK: - Other losses

    @Test func tenBits() throws {
        let input = try make("in.mkv", "-pix_fmt", "yuv420p10le", "-c:v", "libx264")
        #expect(try losses(input, "mp4").contains("--bits=10"))
        #expect(try losses(input, "mp4", "--bits=10").contains("\"notes\": []"))
    }

    @Test func secondTracks() throws {
        let input = try make(
            "in.mkv", "-f", "lavfi", "-i", "testsrc2=s=96x64:r=25:d=2", "-f", "lavfi", "-i", "sine=d=2",
            "-map", "0", "-map",
            "1", "-map", "2", "-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "libvorbis")
        let notes = try losses(input, "mp4")
        #expect(
            notes.contains("video tracks") && notes.contains("re-encoded") && notes.contains(".mkv"),
            "\(notes)")
    }
}
