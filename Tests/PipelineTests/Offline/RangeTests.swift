import Foundation
import TestSupport
import Testing

/// A part of a video: `--start` and `--end`.
struct RangeTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private static let frame: Int64 = 40_000_000

    /// The part goes from the middle of a group of pictures to the middle of another.
    @Test(arguments: ["mp4", "mkv"])
    func makesTheFramesBetweenTwoTimes(_ container: String) throws {
        let muxer = container == "mp4" ? "mp4mux" : "matroskamux"
        let input = try scratch.clip("in.\(container)", Clip.withAudio(muxer, Clip.aac))
        let output = try Tool.make(input, scratch.path("out.\(container)"), "--start=0:00:00.6", "--end=1.4")
        let (video, audio) = (try Packets(output, "video/x-raw"), try Packets(output, "audio/mpeg"))
        #expect(video.times.count == 20 && video.start == 0)
        #expect(abs(video.end - 20 * Self.frame) <= 1_000_000)
        // Packets of 21 ms count if at least their start is in the range.
        #expect(audio.all.count == 37 || audio.all.count == 38)
        let before = Set(try Packets(input, "audio/mpeg").all.map(\.bytes))
        #expect(audio.all.allSatisfy { before.contains($0.bytes) } && audio.start < 22_000_000)
    }

    // MARK: - Every frame

    /// Returns sixteen frames of 40 ms in open groups of six, stored in another order than they are shown.
    private func reordered(_ name: String, _ encoder: String) throws -> String {
        let made = try Subprocess.run(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", "testsrc=s=96x64:r=25:d=0.64", "-c:v", encoder, "-bf",
                "3",
                "-g", "6", encoder == "libx265" ? "-x265-params" : "-x264-params",
                "log-level=error:open-gop=1:keyint=6:bframes=3", scratch.path(name),
            ])
        guard made.status == 0 else { throw SetupFailure(made.output) }
        return scratch.path(name)
    }

    /// Returns the times at which the frames of a part are shown, from a plain list of the whole video's
    /// times.
    private func expected(_ start: Int64, _ end: Int64) -> [Int64] {
        (0..<16).map { $0 * Self.frame }.filter { $0 < end && $0 + Self.frame > start }
            .map { max($0, start) - start }
    }

    private func expectPart(_ input: String, _ start: Int64, _ end: Int64) throws {
        let times = [start, end].map { "\(Double($0) / 1e9)" }
        let output = try Tool.make(
            input, scratch.path("out.mp4"), "--start=\(times[0])", "--end=\(times[1])", "--force",
            "--segment-length=0")
        let found = try Packets(output, "video/x-raw").times
        let wanted = expected(start, end)
        #expect(agree(found, wanted, within: 1_000_000), "\(times): \(found), not \(wanted)")
    }

    @Test(arguments: ["libx264", "libx265"])
    func endsAndStartsAtEveryFrame(_ encoder: String) throws {
        let input = try reordered("in.mp4", encoder)
        let last = 16 * Self.frame
        for frame in stride(from: 1, to: 16, by: 5) {
            try expectPart(input, 0, Int64(frame) * Self.frame)
            try expectPart(input, Int64(frame) * Self.frame, last)
        }
    }

    /// The limits also lie between frames, and one file's times do not begin at zero.
    @Test(arguments: ["mkv", "ts"])
    func makesAnyPart(_ container: String) throws {
        let input = try reordered("in.\(container)", "libx264")
        var numbers = SeededGenerator(seed: 30)
        for _ in 0..<8 {
            let milliseconds = [
                Int64.random(in: 0..<600, using: &numbers), .random(in: 0..<640, using: &numbers),
            ]
            let (start, end) = (milliseconds.min() ?? 0, milliseconds.max() ?? 0)
            try expectPart(input, start * 1_000_000, (end + 5) * 1_000_000)
        }
    }

    /// Behind the end of this part, the decoder sends tags with another bitrate.
    @Test func endsBeforeTags() throws {
        let output = try Tool.make(Checkout.clip.path, scratch.path("out.mp4"), "--end=2")
        #expect(try Packets(output, "video/x-raw").times.count == 50)
    }

    @Test(arguments: ["--start=1:99", "--start=-1", "--end=1:2:3:4", "--end=soon", "--end=0"])
    func refusesMalformedTimes(_ option: String) throws {
        let result = try Tool.run("in.mp4", scratch.path("out.mp4"), option)
        #expect(result.status == 2, "\(result.output)")
    }

    @Test func refusesToStartBehindTheEnd() throws {
        let input = try scratch.clip("in.mp4", "\(Clip.video) ! mp4mux")
        let result = try Tool.run(input, scratch.path("out.mp4"), "--start=3")
        #expect(result.status == 3 && scratch.names == ["in.mp4"], "\(result.output)")
    }
}
