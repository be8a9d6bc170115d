import Foundation
import TestSupport
import Testing

/// Audio of transcoded videos: unchanged where possible, and in sync.
struct AudioTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private static let millisecond: Int64 = 1_000_000
    private static let frame: Int64 = 40_000_000

    /// Checks that all packets after the start are the same, at the same times.
    private func expectSameAudio(_ input: String, _ output: String, _ caps: String) throws {
        let (before, after) = (try Packets(input, caps), try Packets(output, caps))
        #expect(before.all.count > 40)
        #expect(before.all.map(\.bytes) == after.all.map(\.bytes))
        #expect(agree(before.times, after.times, within: Self.millisecond))
        let video = try Packets(output, "video/x-raw")
        #expect(video.start == 0 && abs(video.end - after.end) <= Self.frame)
    }

    @Test(arguments: ["mp4", "mov", "mkv"])
    func passesAACThrough(_ container: String) throws {
        let input = try scratch.clip("in.mp4", Clip.withAudio("mp4mux", Clip.aac))
        let output = try Tool.make(input, scratch.path("out.\(container)"))
        try expectSameAudio(input, output, "audio/mpeg")
    }

    /// MP4 hides the packet before the first one that is heard; in Matroska it is heard, and the picture comes as much later.
    @Test(arguments: ["mp4", "mkv"])
    func keepsPrimingPackets(_ container: String) throws {
        var clip = try MP4(try scratch.clip("whole.mp4", Clip.withAudio("mp4mux", Clip.aac)))
        try clip.skip(samples: 1024, rate: 48000)
        try clip.write(scratch.path("in.mp4"))
        let all = try Packets(scratch.path("whole.mp4"), "audio/mpeg").all
        let heard = try Packets(scratch.path("in.mp4"), "audio/mpeg").all
        #expect(all.dropFirst().map(\.bytes) == heard.map(\.bytes))
        let output = try Tool.make(scratch.path("in.mp4"), scratch.path("out.\(container)"))
        if container == "mp4" { return try expectSameAudio(scratch.path("in.mp4"), output, "audio/mpeg") }
        #expect(try Packets(output, "audio/mpeg").all.map(\.bytes) == all.map(\.bytes))
        // Matroska has whole milliseconds.
        let starts = try Probe.of(output).streams.map { "\($0.codecType) \($0.startTime ?? "none")" }
        #expect(starts.sorted() == ["audio 0.000000", "video 0.021000"])
    }

    @Test func passesAACOfATransportStreamThrough() throws {
        let input = try scratch.clip("in.ts", Clip.withAudio("mpegtsmux", Clip.aac))
        let output = try Tool.make(input, scratch.path("out.mp4"))
        // A transport stream has headers before its packets; the packets themselves are the same.
        let (before, after) = (
            try Packets(input, "audio/mpeg,framed=true"), try Packets(output, "audio/mpeg")
        )
        let pairs = zip(before.all.suffix(after.all.count), after.all)
        #expect(
            after.all.count >= 90 && pairs.allSatisfy { $0.bytes.suffix($1.bytes.count) == $1.bytes[...] })
    }

    @Test(arguments: ["mp4", "webm"])
    func encodesAnewInSync(_ container: String) throws {
        let input = try scratch.clip("in.mov", Clip.withAudio("qtmux", ticks))
        let result = try Tool.run(input, scratch.path("out.\(container)"), "--json")
        #expect(result.status == 0 && result.notes("started")?.count == 1, "\(result.output)")
        let (before, after) = (try onsets(input), try onsets(scratch.path("out.\(container)")))
        // The first tick, at zero, may be lost in the encoder's first packet.
        #expect(before.count == 3 && agree(before.suffix(2), after.suffix(2), within: Self.millisecond))
        let video = try Packets(scratch.path("out.\(container)"), "video/x-raw")
        let audio = try Packets(scratch.path("out.\(container)"), "audio/x-raw")
        #expect(abs(video.end - audio.end) <= Self.frame)
    }

    private let ticks =
        "audiotestsrc wave=ticks num-buffers=94 samplesperbuffer=1024 "
        + "! audio/x-raw,format=S16LE,rate=48000,channels=1"

    /// Returns the start times of the ticks, in nanoseconds.
    private func onsets(_ path: String) throws -> [Int64] {
        let raw = "audioconvert ! audioresample ! audio/x-raw,format=S16LE,rate=48000,channels=1"
        let file = try scratch.clip(
            "\(UUID().uuidString).raw", "filesrc location=\(path) ! decodebin ! \(raw)")
        let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
        let samples = stride(from: 0, to: bytes.count - 1, by: 2).map {
            Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
        }
        var (found, last) = ([Int](), -48000)
        for (index, sample) in samples.enumerated() where abs(Int(sample)) > 2000 {
            if index - last > 5000 { found.append(index) }
            last = index
        }
        return found.map { Int64($0) * 1_000_000_000 / 48000 }
    }
}
