import Foundation
import TestSupport
import Testing

/// Metadata of videos, written and read by ffmpeg.
struct MetadataTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private static let created = "2019-08-07T06:05:04"
    private static let place = "+48.5000-011.2500"

    /// Returns a video with a title, chapters, and a date and place of recording.
    private func clip(_ name: String) throws -> String {
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

    @Test(arguments: [("mp4", "mp4"), ("mov", "mov"), ("mkv", "webm"), ("mp4", "mkv"), ("mkv", "mp4")])
    func datesPlacesAndChaptersAreKept(_ input: String, _ container: String) throws {
        let output = scratch.path("out.\(container)")
        let result = try Tool.run(try clip("in.\(input)"), output, "--json")
        #expect(result.status == 0, "\(result.output)")
        let found = try Probe.of(output)
        #expect(isCreated(found), "\(found)")
        #expect(found.chapters.map { $0.tags["title"] } == ["One", "Two"])
        #expect(found.chapters.map { $0.startTime } == ["0.000000", "0.900000"])
        #expect(found.tags["title"] == "Film")
        if input != "mkv" {
            #expect(found.tags.values.contains { $0.hasPrefix(Self.place) }, "\(found)")
            #expect(result.notes("finished") == [], "\(result.output)")
        }
        try expectPlayable(output)
    }

    /// Their times would be those of the whole video.
    @Test func chaptersOfAPartAreLeftOut() throws {
        let output = scratch.path("out.mkv")
        let result = try Tool.run(try clip("in.mkv"), output, "--start=0.5", "--json")
        #expect(result.status == 0 && result.notes("started")?.count == 1, "\(result.output)")
        #expect(try Probe.of(output).chapters.isEmpty)
    }

    /// Whether the file has the date of recording; containers write it with different fractions of a second.
    private func isCreated(_ file: Probe) -> Bool {
        file.tags["creation_time"]?.hasPrefix(Self.created) == true
    }

    private func expectPlayable(_ path: String) throws {
        let decoded = try Subprocess.run("ffmpeg", ["-v", "error", "-i", path, "-f", "null", "-"])
        #expect(decoded.status == 0 && decoded.output.isEmpty, "\(decoded.output)")
        #expect(try Packets(path, "video/x-raw").all.count == 50)
    }
}
