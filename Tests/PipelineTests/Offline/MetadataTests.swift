import Foundation
import TestSupport
import Testing

/// What films say about themselves, written and read by ffmpeg.
struct MetadataTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private static let created = "2019-08-07T06:05:04"
    private static let place = "+48.5000-011.2500"

    /// A film with a title, chapters, and a date and place of recording.
    private func film(_ name: String) throws -> String {
        let chapters = [(0, 900, "One"), (900, 2000, "Two")].map {
            "[CHAPTER]\nTIMEBASE=1/1000\nSTART=\($0)\nEND=\($1)\ntitle=\($2)\n"
        }
        let text = try scratch.file("chapters", Data(";FFMETADATA1\n\(chapters.joined())".utf8))
        let raw = try scratch.clip("raw.mkv", "\(Clip.video) ! matroskamux")
        let made = try Subprocess.run(
            "ffmpeg",
            [
                "-v", "error", "-i", raw, "-i", text, "-map_metadata", "1", "-map_chapters", "1", "-c",
                "copy",
                "-metadata", "title=Film", "-metadata", "location=\(Self.place)/",
                "-metadata", "creation_time=\(Self.created)Z", scratch.path(name),
            ])
        guard made.status == 0 else { throw SetupFailure(made.output) }
        return scratch.path(name)
    }

    private func described(_ path: String) throws -> String {
        try Subprocess.run("ffprobe", ["-v", "error", "-show_format", "-show_chapters", path]).output
    }

    @Test(arguments: [("mp4", "mp4"), ("mov", "mov"), ("mkv", "webm")])
    func isKept(_ input: String, _ container: String) throws {
        let output = scratch.path("out.\(container)")
        let result = try Tool.run(try film("in.\(input)"), output)
        #expect(result.status == 0, "\(result.output)")
        let found = try described(output)
        #expect(found.contains("creation_time=\(Self.created)"), "\(found)")
        #expect(found.contains("title=One") && found.contains("start_time=0.900000"), "\(found)")
        #expect(found.lowercased().contains("title=film"), "\(found)")
        if input != "mkv" {
            #expect(found.contains(Self.place), "\(found)")
            #expect(!result.output.contains("left out"), "\(result.output)")
        }
        try expectPlayable(output)
    }

    @Test(arguments: [("mp4", "mkv", "place of recording, chapters"), ("mkv", "mp4", "chapters")])
    func isNamedWhereThereIsNoPlace(_ input: String, _ container: String, _ lost: String) throws {
        let output = scratch.path("out.\(container)")
        let result = try Tool.run(try film("in.\(input)"), output)
        #expect(result.status == 0 && result.output.contains("left out: "), "\(result.output)")
        #expect(result.output.contains(lost), "\(result.output)")
        let first = result.output.split(separator: "\n").dropFirst().first ?? ""
        #expect(first.contains("note: chapters"), "\(result.output)")
        #expect(try described(output).contains("creation_time=\(Self.created)"))
    }

    /// Their times would be those of the whole film.
    @Test func chaptersOfAPartAreLeftOut() throws {
        let output = scratch.path("out.mkv")
        let result = try Tool.run(try film("in.mkv"), output, "--start=0.5")
        #expect(result.status == 0 && result.output.contains("chapters"), "\(result.output)")
        #expect(try !described(output).contains("title=One"))
    }

    private func expectPlayable(_ path: String) throws {
        let decoded = try Subprocess.run("ffmpeg", ["-v", "error", "-i", path, "-f", "null", "-"])
        #expect(decoded.status == 0 && decoded.output.isEmpty, "\(decoded.output)")
        #expect(try Packets(path, "video/x-raw").all.count == 50)
    }
}
