import Foundation
import TestSupport
import Testing

/// Long videos, which are processed in segments; six seconds with a key frame each second replace one.
struct SegmentTests {
    private let scratch: Scratch
    private let input: String

    init() throws {
        scratch = try Scratch()
        let video =
            "videotestsrc pattern=ball num-buffers=150 ! \(caps("I420", 160, 90)) "
            + "! x264enc speed-preset=ultrafast bframes=2 key-int-max=25"
        let audio =
            "audiotestsrc num-buffers=282 samplesperbuffer=1024 ! audio/x-raw,rate=48000,channels=2 ! avenc_aac ! aacparse"
        input = try scratch.clip(
            "in.mp4", "mp4mux name=muxer \(video) ! muxer. \(audio) ! muxer. muxer.")
    }

    private static let length = "--segment-length=1.5"
    private static let millisecond: Int64 = 1_000_000

    private func expectSameStructure(_ one: String, _ other: String) throws {
        let (frames, others) = (try Packets(one, "video/x-raw"), try Packets(other, "video/x-raw"))
        #expect(frames.times.count == others.times.count)
        #expect(agree(frames.times, others.times, within: Self.millisecond))
        #expect(abs(frames.length - others.length) <= Self.millisecond)
        #expect(abs(frames.end - others.end) <= Self.millisecond)
        let (audio, otherAudio) = (try Packets(one, "audio/x-raw"), try Packets(other, "audio/x-raw"))
        #expect(audio.all.flatMap(\.bytes) == otherAudio.all.flatMap(\.bytes))
        #expect(agree(audio.times, otherAudio.times, within: Self.millisecond))
    }

    @Test(arguments: [("mp4", "--start=0.5"), ("webm", "--end=5.3"), ("mov", "--bits=10")])
    func segmentsMakeTheVideoOfOnePiece(_ container: String, _ range: String) throws {
        let whole = try Tool.make(input, scratch.path("whole.\(container)"), "--segment-length=0", range)
        let joined = try Tool.make(input, scratch.path("joined.\(container)"), Self.length, range)
        try expectSameStructure(whole, joined)
        #expect(!scratch.names.contains { $0.hasSuffix(".segments") })
    }

    @Test(arguments: [SIGINT, SIGKILL])
    func theSameCommandGoesOnAfterAnInterruption(_ signal: Int32) throws {
        let output = scratch.path("out.mp4")
        let arguments = ["video", input, output, "--quality=fast", "--jobs=1", "--json", Self.length]
        let running = try RunningProcess(Tool.path, arguments)
        let first = output + ".segments/00000.nut"
        #expect(running.wait { FileManager.default.fileExists(atPath: first) })
        if signal == SIGINT { running.interrupt() }
        let ended = running.finish(within: signal == SIGINT ? 300 : 0)
        #expect(ended.status == (signal == SIGINT ? 130 : 128 + SIGKILL), "\(ended.output)")

        let resumed = try Subprocess.run(Tool.path, arguments)
        let continues = resumed.notes("started")?.contains { $0.hasPrefix("continues") }
        #expect(resumed.status == 0 && continues == true, "\(resumed.output)")
        #expect(scratch.names == ["in.mp4", "out.mp4"])
        let whole = try Tool.make(input, scratch.path("whole.mp4"), "--segment-length=0")
        try expectSameStructure(output, whole)
    }

    /// Several programs may make segments, in any order.
    @Test func segmentsOfOtherSettingsAreNotUsed() throws {
        let output = scratch.path("out.mp4")
        let plan = try Tool.run(input, output, Self.length, "--plan", "--json")
        #expect(plan.events("plan").map { $0["segments"] as? Int } == [4], "\(plan.output)")
        #expect(try Tool.run(input, output, Self.length, "--segment=2").status == 0)
        #expect(try Tool.run(input, output, Self.length, "--segment=4").status == 2)
        let other = try Tool.run(input, output, Self.length, "--blur=20")
        #expect(other.status == 4, "\(other.output)")

        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1e9)], ofItemAtPath: input)
        #expect(try Tool.run(input, output, Self.length).status == 4)
        let forced = try Tool.run(input, output, Self.length, "--force", "--json")
        #expect(forced.status == 0 && forced.notes("finished") == [], "\(forced.output)")
        #expect(scratch.names == ["in.mp4", "out.mp4"])
    }

    /// One bit is changed in a kept segment, and another one is cut off.
    @Test func segmentsThatHaveChangedAreMadeAgain() throws {
        let clean = try Tool.make(input, scratch.path("clean.mp4"), Self.length)
        let output = scratch.path("out.mp4")
        for number in 0..<4 {
            #expect(try Tool.run(input, output, Self.length, "--plan").status == 0)
            #expect(try Tool.run(input, output, Self.length, "--segment=\(number)").status == 0)
        }
        try change("\(output).segments/00001.nut") { $0[$0.count / 2] ^= 4 }
        try change("\(output).segments/00002.nut") { $0.removeLast($0.count / 2) }
        let made = try Tool.run(input, output, Self.length, "--json")
        let notes = try #require(made.notes("started"))
        #expect(made.status == 0, "\(made.output)")
        for name in ["00001.nut", "00002.nut"] { #expect(notes.contains { $0.contains(name) }, "\(notes)") }
        #expect(notes.contains { $0.hasPrefix("continues: 2 of 4") }, "\(notes)")
        #expect(try frames(output) == frames(clean))
    }

    /// The cuts are kept in a file, too: segments of other cuts would not fit each other.
    @Test func aPlanThatHasChangedIsMadeAgain() throws {
        let output = scratch.path("out.mp4")
        #expect(try Tool.run(input, output, Self.length, "--plan").status == 0)
        #expect(try Tool.run(input, output, Self.length, "--segment=1").status == 0)
        try change("\(output).segments/plan") { plan in
            let end = plan.range(of: Data("segments\n".utf8), options: .backwards)?.upperBound ?? 0
            plan[end] = UInt8(ascii: "7")
        }
        let made = try Tool.run(input, output, Self.length, "--json")
        #expect(made.status == 0 && made.notes("started")?.count == 1, "\(made.output)")
        #expect(try frames(output).count == frames(input).count)
    }

    private func change(_ path: String, _ body: (inout Data) -> Void) throws {
        var data = try Data(contentsOf: URL(fileURLWithPath: path))
        body(&data)
        try data.write(to: URL(fileURLWithPath: path))
    }

    /// Hashes of all frames of a video, as ffmpeg decodes them.
    private func frames(_ path: String) throws -> [Substring] {
        let arguments = ["-v", "error", "-i", path, "-map", "0:v", "-f", "framemd5", "-"]
        let result = try Subprocess.run("ffmpeg", arguments)
        guard result.status == 0 else { throw SetupFailure(result.output) }
        return result.output.split(separator: "\n").filter { !$0.hasPrefix("#") }
    }
}
