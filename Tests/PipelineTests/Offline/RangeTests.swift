import Foundation
import TestSupport
import Testing

/// A part of a film: `--start` and `--end`.
struct RangeTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private static let frame: Int64 = 40_000_000

    /// From the middle of a group of pictures to the middle of another.
    @Test(arguments: ["mp4", "mkv"])
    func makesTheFramesBetweenTwoTimes(_ container: String) throws {
        let muxer = container == "mp4" ? "mp4mux" : "matroskamux"
        let input = try scratch.clip("in.\(container)", Clip.withSound(muxer, Clip.aac))
        let output = try Tool.make(input, scratch.path("out.\(container)"), "--start=0:00:00.6", "--end=1.4")
        let (video, sound) = (try Packets(output, "video/x-raw"), try Packets(output, "audio/mpeg"))
        #expect(video.times.count == 20 && video.start == 0)
        #expect(abs(video.end - 20 * Self.frame) <= 1_000_000)
        // Packets of 21 ms that lie in the range at least with their start.
        #expect(sound.all.count == 37 || sound.all.count == 38)
        let before = Set(try Packets(input, "audio/mpeg").all.map(\.bytes))
        #expect(sound.all.allSatisfy { before.contains($0.bytes) } && sound.start < 22_000_000)
    }

    @Test(arguments: ["--start=1:99", "--start=-1", "--end=1:2:3:4", "--end=soon", "--end=0"])
    func refusesWhatIsNoTime(_ option: String) throws {
        let result = try Tool.run("in.mp4", scratch.path("out.mp4"), option)
        #expect(result.status == 2 && result.output.contains(option.contains("=0") ? "--end" : "h:mm:ss"))
    }

    @Test func refusesToStartBehindTheEnd() throws {
        let input = try scratch.clip("in.mp4", "\(Clip.video) ! mp4mux")
        let result = try Tool.run(input, scratch.path("out.mp4"), "--start=3")
        #expect(result.status == 3 && result.output.contains("before --start") && scratch.names == ["in.mp4"])
    }
}
