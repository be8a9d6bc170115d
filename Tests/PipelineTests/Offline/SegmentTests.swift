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
}
