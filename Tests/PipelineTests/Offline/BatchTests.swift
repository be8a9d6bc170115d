import Foundation
import TestSupport
import Testing

/// Several files into a folder.
struct BatchTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func names(_ folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: scratch.path(folder))) ?? []).sorted()
    }

    /// Returns the numbers of files that were done, skipped and failed.
    private func counts(_ result: Subprocess) -> [Int?] {
        ["done", "skipped", "failed"].map { result.events("summary").first?[$0] as? Int }
    }

    @Test func goesOnAfterABadFileAndResumes() throws {
        let first = try scratch.clip("one.mp4", "\(Clip.video) ! mp4mux")
        let bad = try scratch.file("bad.mp4", Data("no video".utf8))
        let last = try scratch.clip("two.ts", "\(Clip.video) ! mpegtsmux")
        let folder = scratch.path("done")

        let run = try Tool.run(first, bad, last, folder, "--json")
        #expect(run.status == 1 && counts(run) == [2, 0, 1], "\(run.output)")
        #expect(names("done") == ["one.mp4", "two.mp4"])

        try FileManager.default.removeItem(atPath: folder + "/two.mp4")
        let again = try Tool.run(first, last, folder, "--json")
        #expect(again.status == 0 && counts(again) == [1, 1, 0], "\(again.output)")
        #expect(names("done") == ["one.mp4", "two.mp4"])

        let forced = try Tool.run(first, last, folder, "--force", "--json")
        #expect(counts(forced) == [2, 0, 0], "\(forced.output)")
    }

    @Test(arguments: [("video", ["a.mkv", "b.mp4"]), ("photo", ["c.png"])])
    func aFolderStandsForItsVideosOrImages(_ command: String, _ expected: [String]) throws {
        let folder = scratch.path("in/inside")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let video = try scratch.clip("in/a.mkv", "\(Clip.video) ! matroskamux")
        for name in ["in/.hidden.mkv", "in/d.mkv.part", "in/inside/e.mkv"] {
            try FileManager.default.copyItem(atPath: video, toPath: scratch.path(name))
        }
        // A file with a video's ending is not skipped silently.
        _ = try scratch.file("in/b.mp4", Data())
        _ = try scratch.file("in/notes.txt", Data("no video".utf8))
        try FileManager.default.copyItem(atPath: Checkout.astronaut.path, toPath: scratch.path("in/c.png"))
        let run = try Tool.run(scratch.path("in"), scratch.path("done"), "--json", command: command)
        let inputs = run.output.matches(of: #/"input": "[^"]*/([^"\/]+)"/#).map { String($0.1) }
        #expect(Set(inputs) == Set(expected), "\(run.output)")
        #expect(names("done") == expected.filter { $0 != "b.mp4" })
    }

    @Test func keepsApartFilesOfOneName() throws {
        try FileManager.default.createDirectory(
            atPath: scratch.path("other"), withIntermediateDirectories: true)
        let one = try scratch.clip("clip.mp4", "\(Clip.video) ! mp4mux")
        let other = try scratch.clip("other/clip.mp4", "\(Clip.video) ! mp4mux")
        let run = try Tool.run(one, other, scratch.path("done"), "--json")
        #expect(run.status == 1 && counts(run) == [1, 0, 1], "\(run.output)")
        #expect(run.events("failed").map { $0["code"] as? Int } == [2], "\(run.output)")
    }

    @Test func neverWritesIntoTheFolderOfTheInputs() throws {
        let input = try scratch.clip("clip.mp4", "\(Clip.video) ! mp4mux")
        let before = try Data(contentsOf: URL(fileURLWithPath: input))
        #expect(try Tool.run(input, scratch.url.path, "--force").status == 1)
        #expect(try Data(contentsOf: URL(fileURLWithPath: input)) == before)
    }
}
