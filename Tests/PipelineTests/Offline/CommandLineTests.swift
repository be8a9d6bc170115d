import Foundation
import TestSupport
import Testing

/// Options, existing files, and output.
struct CommandLineTests {
    private let scratch: Scratch
    private let input: String

    init() throws {
        scratch = try Scratch()
        input = try scratch.clip("in.mp4", "\(Clip.video) ! mp4mux")
    }

    /// Returns the output, each line of which must be an object.
    private func json(_ result: Subprocess) throws -> [[String: Any]] {
        let found = objects(result)
        try #require(found.count == result.output.split(separator: "\n").count, "\(result.output)")
        return found
    }

    @Test(arguments: [
        ("video", ["background", "blur", "color", "quality", "preset", "force", "json"]),
        ("photo", ["background", "blur", "color", "quality", "force", "json"]),
        (
            "webcam",
            ["camera", "size", "quality", "background", "blur", "color", "flip", "stand-in"]
        ),
        (
            "virtual-camera",
            ["camera", "size", "quality", "background", "blur", "color", "flip", "stand-in"]
        ),
        ("over-live", ["camera", "quality", "sink"]),
        ("studio", ["preset", "camera", "stand-in", "backgrounds", "recordings", "show-original"]),
    ])
    func helpListsTheOptions(_ command: String, _ options: [String]) throws {
        let help = try Subprocess.run(Tool.path, [command, "--help"])
        let listed = Set(help.output.matches(of: #/\n\s+(?:-\w, )?--([a-z-]+)/#).map { String($0.1) })
        #expect(help.status == 0 && listed.isSuperset(of: options), "\(help.output)")
    }

    @Test(arguments: [
        [], ["video"], ["video", "in.mp4"], ["video", "--colour"],
        ["video", "in.mp4", "out.mp4", "--blur=101"], ["video", "in.mp4", "out.mp4", "--blur"],
        ["video", "in.mp4", "out.mp4", "--color=red"], ["video", "in.mp4", "out.mp4", "--quality=best"],
        ["video", "in.mp4", "out.mp4", "--blur=1", "--color=00ff00"],
        ["video", "in.mp4", "out.avi"], ["video", "in.mp4", "out"], ["video", "in.mp4", "out.png"],
        ["video", "in.mp4", "out.mp4", "--background="], ["farm", "in.mp4", "out", "--address="],
        ["video", "in.mp4", "out.mp4", "--blur=1", "--transparent"],
        ["video", "in.mp4", "out.mp4", "--keep-at=0.5,0.5", "--instances=1"], ["help", "nothing"],
        ["photo", "in.mp4", "out.mp4"], ["video", "in.mp4", "in.mp4", "out.mp4"],
    ])
    func refusesWrongUsage(_ arguments: [String]) throws {
        let result = try Subprocess.run(Tool.path, arguments, directory: scratch.url)
        #expect(result.status == 2, "\(arguments): \(result.output)")
        #expect(scratch.names == ["in.mp4"])
    }

    /// The scripts print the document for a tool that is not built yet.
    @Test func theDocumentIsTheHelpOfAllCommands() throws {
        let page = Checkout.root.appendingPathComponent("docs/commands.md")
        let written = String(decoding: try Data(contentsOf: page), as: UTF8.self)
        let printed = try Subprocess.run(Tool.path, ["--reference"])
        #expect(
            printed.status == 0 && printed.output == written,
            "write it with: pipelines/gst-people --reference >docs/commands.md")
    }

    @Test func keepsAnExistingOutputUnlessForced() throws {
        let output = try scratch.file("out.mp4", Data("mine".utf8))
        let refused = try Tool.run(input, output)
        #expect(refused.status == 4, "\(refused.output)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: output)) == Data("mine".utf8))
        #expect(try Tool.run(input, output, "--force").status == 0)
        #expect(try Packets(output, "video/x-raw").all.count == 50)
        #expect(scratch.names == ["in.mp4", "out.mp4"])
    }

    @Test func refusesToWriteOverTheInput() throws {
        let before = try Data(contentsOf: URL(fileURLWithPath: input))
        try FileManager.default.createSymbolicLink(
            atPath: scratch.path("soft.mp4"), withDestinationPath: input)
        try FileManager.default.linkItem(atPath: input, toPath: scratch.path("hard.mp4"))
        for name in ["in.mp4", "./in.mp4", "soft.mp4", "hard.mp4"] {
            let result = try Tool.run(input, scratch.path(name), "--force")
            #expect(result.status == 2, "\(name): \(result.output)")
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: input)) == before)
    }

    @Test func writesJSON() throws {
        let events = try json(try Tool.run(input, scratch.path("out.mp4"), "--json"))
        #expect(events.first?["event"] as? String == "started")
        let last = try #require(events.last)
        #expect(last["event"] as? String == "finished" && last["frames"] as? Int == 50)
        #expect(last["output"] as? String == scratch.path("out.mp4"))
        let failure = try json(try Tool.run(input, scratch.path("out.mp4"), "--json")).last
        #expect(failure?["event"] as? String == "failed" && failure?["code"] as? Int == 4)
    }

    @Test func reportsProgress() throws {
        let running = try RunningProcess(
            Tool.path, ["video", Checkout.clip.path, scratch.path("out.mp4"), "--quality", "fast", "--json"])
        // On a busy machine no frame is finished at the first report.
        let isProgress = { (event: [String: Any]) in
            event["event"] as? String == "progress" && event["frames"] as? Double ?? 0 > 0
        }
        running.wait { objects(in: running.output).contains(where: isProgress) }
        running.interrupt()
        let first = try #require(try json(running.finish()).first(where: isProgress))
        let (percent, frames) = (first["percent"] as? Double ?? 0, first["frames"] as? Double ?? 0)
        // The clip has 433 frames.
        #expect(percent > 0 && abs(percent - frames / 4.33) < 2)
        #expect((first["framesPerSecond"] as? Double ?? 0) > 0 && (first["secondsLeft"] as? Double ?? 0) > 0)
    }

    @Test func quietPrintsErrorsOnly() throws {
        let result = try Tool.run(input, scratch.path("out.mp4"), "--quiet")
        #expect(result.status == 0 && result.output.isEmpty)
        let refused = try Tool.run(input, scratch.path("out.mp4"), "--quiet")
        #expect(refused.status == 4 && !refused.output.isEmpty, "an error is not kept quiet about")
    }
}
