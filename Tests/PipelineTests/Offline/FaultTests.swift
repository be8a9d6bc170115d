import Foundation
import TestSupport
import Testing

/// Faults leave a message, an exit code, and no file that looks complete.
struct FaultTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func expectFailure(
        _ input: String, status: Int32, environment: [String: String?] = [:]
    ) throws {
        let result = try Tool.run(input, scratch.path("out.mp4"), "--json", environment: environment)
        #expect(result.status == status, "\(result.output)")
        #expect(result.events("failed").map { $0["code"] as? Int } == [Int(status)], "\(result.output)")
        #expect(!scratch.names.contains { $0.hasPrefix("out") })
    }

    private func clip() throws -> String {
        try scratch.clip("in.mp4", "\(Clip.video) ! mp4mux faststart=true")
    }

    // MARK: - Inputs

    @Test func refusesAMissingFile() throws {
        try expectFailure(scratch.path("no.mp4"), status: 3)
    }

    @Test func refusesAFolderWithoutVideos() throws {
        _ = try scratch.file("notes.txt", Data("no video".utf8))
        try expectFailure(scratch.url.path, status: 2)
        let result = try Tool.run(scratch.url.path, scratch.path("out"))
        #expect(result.status == 3 && scratch.names == ["notes.txt"], "\(result.output)")
    }

    @Test(arguments: ["", "a text", "\u{0}\u{0}\u{0}\u{18}ftypmp42"])
    func refusesFilesThatAreNoVideos(_ contents: String) throws {
        let input = try scratch.file("in.mp4", Data(contents.utf8))
        try expectFailure(input, status: 3)
    }

    /// Data of one value without end, which would fill the disk, are refused at once.
    @Test func refusesAnInputThatRepeatsOneByte() throws {
        let command = "'\(Tool.path)' video - '\(scratch.path("out.mp4"))' --quality=fast"
        let result = try Subprocess.run("/bin/sh", ["-c", "exec 2>&1; cat /dev/zero | \(command)"])
        #expect(result.status == 3 && result.output.contains("one value"), "\(result.output)")
        #expect(!scratch.names.contains { $0.hasPrefix("out") })
    }

    @Test func readsAnimations() throws {
        let input = try animation()
        _ = try Tool.make(input, scratch.path("out.mkv"))
        #expect(try Packets(scratch.path("out.mkv"), "video/x-raw").all.count == 4)
        let list = try Subprocess.run(Tool.path, ["faces", input])
        #expect(list.status == 0, "\(list.output)")
    }

    private func animation() throws -> String {
        let path = scratch.path("in.gif")
        let made = try Subprocess.run(
            "ffmpeg", ["-v", "error", "-f", "lavfi", "-i", "testsrc=s=96x64:r=10:d=0.4", path])
        guard made.status == 0 else { throw SetupFailure(made.output) }
        return path
    }

    @Test(arguments: [0.05, 0.3, 0.6, 0.8])
    func refusesTruncatedVideos(_ share: Double) throws {
        let whole = try Data(contentsOf: URL(fileURLWithPath: try clip()))
        let input = try scratch.file("cut.mp4", whole.prefix(Int(Double(whole.count) * share)))
        try expectFailure(input, status: 3)
    }

    /// The message names the option with which the same command works.
    @Test func convertsTheIntactPartOfATruncatedVideo() throws {
        let whole = try Data(contentsOf: URL(fileURLWithPath: try clip()))
        let input = try scratch.file("cut.mp4", whole.prefix(whole.count / 2))
        let refused = try Tool.run(input, scratch.path("out.mp4"))
        #expect(refused.status == 3 && refused.output.contains("--damaged"), "\(refused.output)")
        let made = try Tool.run(input, scratch.path("out.mp4"), "--damaged")
        #expect(made.status == 0, "\(made.output)")
        let count = try Packets(scratch.path("out.mp4"), "video/x-raw").all.count
        #expect((5..<50).contains(count), "\(count)")
    }

    @Test(arguments: [0.3, 0.6])
    func refusesVideosWithoutTheirIndex(_ share: Double) throws {
        let whole = try Data(
            contentsOf: URL(fileURLWithPath: try scratch.clip("in.mp4", "\(Clip.video) ! mp4mux")))
        let input = try scratch.file("cut.mp4", whole.prefix(Int(Double(whole.count) * share)))
        try expectFailure(input, status: 3)
    }

    @Test(arguments: [("photo", "png"), ("video", "mp4")])
    func messagesNameTheStandardInput(_ command: String, _ ending: String) throws {
        var bytes = try Data(contentsOf: URL(fileURLWithPath: try clip()))
        let frames = try #require(bytes.range(of: Data("mdat".utf8)))
        bytes.resetBytes(in: frames.upperBound..<bytes.endIndex)
        let input = try scratch.file("empty.mp4", bytes)
        let script = "exec \"$0\" \(command) - \"$2\" --quality=fast <\"$1\""
        let result = try Subprocess.run(
            "bash", ["-c", script, Tool.path, input, scratch.path("out.\(ending)")])
        #expect(result.status == 3, "\(result.output)")
        #expect(result.output.contains("standard input"), "\(result.output)")
        #expect(!result.output.contains(" - "), "\(result.output)")
    }

    @Test func refusesAudioWithoutVideo() throws {
        let input = try scratch.clip("in.m4a", "\(Clip.aac) ! mp4mux")
        try expectFailure(input, status: 3)
    }

    @Test(arguments: ["mp4mux", "matroskamux"])
    func refusesVideosWithoutFrames(_ muxer: String) throws {
        let line = "videotestsrc num-buffers=0 ! \(caps("I420", 160, 90)) ! x264enc ! \(muxer)"
        try expectFailure(try scratch.clip("in.mp4", line), status: 3)
    }

    @Test(arguments: ["bt2100-pq", "bt2100-hlg"])
    func refusesHighDynamicRangeInEightBits(_ colorimetry: String) throws {
        let input = try scratch.clip(
            "in.mkv",
            "videotestsrc num-buffers=5 ! \(caps("I420_10LE", 160, 90, ",colorimetry=\(colorimetry)")) ! x264enc ! matroskamux"
        )
        let result = try Tool.run(input, scratch.path("out.mp4"), "--bits=8")
        #expect(result.status == 3, "\(result.output)")
        #expect(scratch.names == ["in.mkv"])
    }

    @Test func endsWithoutItsBackground() throws {
        let result = try Tool.run(try clip(), scratch.path("out.mp4"), "--background", scratch.path("no.jpg"))
        #expect(result.status == 3, "\(result.output)")
        #expect(scratch.names == ["in.mp4"])
    }

    // MARK: - What is not installed

    @Test func endsWithoutFFmpeg() throws {
        try expectFailure(try clip(), status: 5, environment: ["PATH": scratch.url.path])
    }

    @Test func endsWithoutModels() throws {
        // Models are searched for above the program, too.
        let tool = scratch.path("tool")
        try FileManager.default.copyItem(atPath: Tool.path, toPath: tool)
        let result = try Subprocess.run(
            tool, ["video", try clip(), scratch.path("out.mp4")],
            environment: Checkout.pluginAlone(scratch))
        #expect(result.status == 5, "\(result.output)")
        #expect(!scratch.names.contains { $0.hasPrefix("out") })
    }

    // MARK: - Outputs

    @Test func endsWithoutAFolderForTheOutput() throws {
        let result = try Tool.run(try clip(), scratch.path("no/out.mp4"))
        #expect(result.status == 4, "\(result.output)")
    }

    @Test func endsWithoutPermissionToWrite() throws {
        let input = try clip()
        let folder = scratch.path("locked")
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o555])
        // Root may write everywhere.
        let other = getuid() == 0 ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : ["env"]
        let result = try Subprocess.run(
            other[0],
            other.dropFirst() + [Tool.path, "video", input, folder + "/out.mp4", "--quality", "fast"])
        #expect(result.status == 4, "\(result.output)")
    }

    /// Whether this user may mount a small disk, as root may outside of containers.
    private static let canMount: Bool = {
        guard let scratch = try? Scratch() else { return false }
        let mounted = try? Subprocess.run(
            "mount", ["-t", "tmpfs", "-o", "size=200k", "none", scratch.url.path])
        guard mounted?.status == 0 else { return false }
        return (try? Subprocess.run("umount", [scratch.url.path]))?.status == 0
    }()

    @Test(.enabled(if: canMount, "this user may not mount a small disk"), arguments: ["mp4", "mkv"])
    func aFullDiskLeavesNoFile(_ container: String) throws {
        let disk = scratch.path("disk")
        try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
        let mounted = try Subprocess.run("mount", ["-t", "tmpfs", "-o", "size=200k", "none", disk])
        try #require(mounted.status == 0, "\(mounted.output)")
        defer { _ = try? Subprocess.run("umount", [disk]) }
        let result = try Tool.run(Checkout.clip.path, disk + "/out.\(container)")
        #expect(result.status == 4, "\(result.output)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: disk) == [])
    }

    @Test func aLimitOfFileSizesLeavesNoFile() throws {
        let command = "ulimit -f 1; exec \"$0\" \"$@\""
        let result = try Subprocess.run(
            "bash",
            ["-c", command, Tool.path, "video", try clip(), scratch.path("out.mp4"), "--color", "00b140"])
        #expect(result.status == 4, "\(result.output)")
        #expect(scratch.names == ["in.mp4"])
    }

    // MARK: - Interruptions

    /// Returns a run that has written a part of its output.
    private func midRun() throws -> RunningProcess {
        let running = try RunningProcess(
            Tool.path, ["video", Checkout.clip.path, scratch.path("out.mp4"), "--quality", "fast"])
        let part = scratch.path("out.mp4.part")
        running.wait {
            let size = try? FileManager.default.attributesOfItem(atPath: part)[.size] as? Int
            return size.map { $0 > 100_000 } ?? false
        }
        return running
    }

    @Test func anInterruptLeavesNoFile() throws {
        let running = try midRun()
        #expect(scratch.names == ["out.mp4.part"])
        running.interrupt()
        let result = running.finish()
        #expect(result.status == 130, "\(result.output)")
        #expect(scratch.names == [])
    }

    @Test func runsAgainAfterItWasKilled() throws {
        let killed = try midRun().finish(within: 0)
        #expect(killed.status == 128 + SIGKILL && scratch.names == ["out.mp4.part"])
        #expect(try Tool.run(try clip(), scratch.path("out.mp4")).status == 0)
        #expect(scratch.names == ["in.mp4", "out.mp4"])
        #expect(try Packets(scratch.path("out.mp4"), "video/x-raw").all.count == 50)
    }

    @Test func refusesAnOutputOfAnotherRun() throws {
        let running = try midRun()
        running.halt()
        let other = try Tool.run(Checkout.clip.path, scratch.path("out.mp4"))
        #expect(other.status == 4, "\(other.output)")
        #expect(scratch.names == ["out.mp4.part"] && running.isRunning)
        running.interrupt()
        running.goOn()
        #expect(running.finish().status == 130)
    }
}
