import Foundation
import TestSupport
import Testing

/// Losses of an output are reported before the work; text subtitles are kept.
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

    /// Returns the losses that are printed before the first frame is made: the notes of the event `started`.
    private func losses(_ input: String, _ container: String, _ options: String...) throws -> [String] {
        let output = scratch.path("out.\(container)")
        let result = try Subprocess.run(
            Tool.path, ["video", input, output, "--quality=fast", "--json", "--force"] + options)
        #expect(result.status == 0, "\(result.output)")
        let first = try #require(objects(result).first)
        #expect(first["event"] as? String == "started", "\(first)")
        return try #require(first["notes"] as? [String])
    }

    private struct Cue: Equatable {
        let start, end, text: String
    }

    /// Returns the subtitles of a file, without markup.
    private func cues(_ path: String) throws -> [Cue] {
        let result = try Subprocess.run(
            "ffmpeg", ["-v", "error", "-i", path, "-map", "0:s:0", "-f", "srt", "-"])
        return result.output.components(separatedBy: "\n\n").compactMap { cue in
            let lines = cue.split(separator: "\n").map(String.init)
            guard lines.count == 3 else { return nil }
            let times = lines[1].components(separatedBy: " --> ")
            return Cue(
                start: times[0], end: times.last ?? "", text: lines[2].replacing(#/<[^>]*>/#, with: ""))
        }
    }

    // MARK: - Subtitles

    @Test(arguments: ["srt", "ass", "mov_text"], ["mp4", "mov", "mkv"])
    func keepsSubtitles(_ kind: String, _ container: String) throws {
        let suffix = kind == "mov_text" ? "mp4" : "mkv"
        let input = try make(
            "in.\(suffix)", "-i", try subtitles(), "-map", "0", "-map", "1", "-c:v", "libx264", "-pix_fmt",
            "yuv420p",
            "-c:s", kind, "-metadata:s:s:0", "language=deu")
        let notes = try losses(input, container)
        // Only Matroska can contain the styles of ASS.
        #expect(notes.count == (kind == "ass" && container != "mkv" ? 1 : 0), "\(notes)")
        let output = scratch.path("out.\(container)")
        let found = try cues(output)
        let first = Cue(start: "00:00:00,100", end: "00:00:00,900", text: "One and & two")
        // FFmpeg 5 to 7 subtract the time before the first subtitle from the last one in MP4.
        let ends = container == "mkv" ? ["800"] : ["700", "800"]
        let possible = ends.map { [first, Cue(start: "00:00:01,000", end: "00:00:01,\($0)", text: "Three")] }
        #expect(possible.contains(found), "\(found)")
        #expect(try Probe.of(output).streams.filter { $0.codecType == "subtitle" }.count == 1)
    }

    @Test func cutsSubtitles() throws {
        let input = try make(
            "in.mkv", "-i", try subtitles(), "-map", "0", "-map", "1", "-c:v", "libx264", "-pix_fmt",
            "yuv420p", "-c:s", "srt")
        _ = try losses(input, "mkv", "--start=0.5", "--end=1.4")
        let found = try cues(scratch.path("out.mkv"))
        let times = found.map { [$0.start, $0.end] }
        #expect(times == [["00:00:00,000", "00:00:00,400"], ["00:00:00,500", "00:00:00,900"]], "\(found)")
    }

    // MARK: - Other losses

    @Test func notesThatTenBitsBecomeEight() throws {
        let input = try make("in.mkv", "-pix_fmt", "yuv420p10le", "-c:v", "libx264")
        #expect(try losses(input, "mp4").count == 1)
        #expect(try losses(input, "mp4", "--bits=10").isEmpty)
    }

    @Test func notesLostTracksAndEncodedAudio() throws {
        let input = try make(
            "in.mkv", "-f", "lavfi", "-i", "testsrc2=s=96x64:r=25:d=2", "-f", "lavfi", "-i", "sine=d=2",
            "-map", "0", "-map",
            "1", "-map", "2", "-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "libvorbis")
        let notes = try losses(input, "mp4")
        // The second video track is lost, and audio is converted that MP4 cannot contain unchanged.
        #expect(notes.count == 2, "\(notes)")
    }
}
