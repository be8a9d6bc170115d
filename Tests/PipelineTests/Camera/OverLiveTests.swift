import Foundation
import TestSupport
import Testing

/// `gst-people over-live`: the cut-out people in front of another stream.
struct OverLiveTests {
    @Test(arguments: [[], ["file:///a.mp4", "file:///b.mp4"]])
    func takesOneStream(_ streams: [String]) throws {
        let result = try tool("over-live", ["--stand-in"] + streams)
        #expect(result.status == 2, "\(result.output)")
    }

    /// The other stream fills the image where nobody is, whatever its own size.
    @Test func showsTheStreamBehindThePeople() throws {
        let scratch = try Scratch()
        let stream = try scratch.clip(
            "green.webm",
            "videotestsrc pattern=green num-buffers=9000 ! \(caps("I420", 64, 48)) ! vp8enc deadline=1 ! webmmux"
        )
        let portrait =
            "filesrc location=\(Checkout.astronaut.path) ! pngdec ! videoconvert ! videoscale ! imagefreeze is-live=true "
            + "! capsfilter caps=video/x-raw,format=NV12,width=320,height=320,framerate=30/1,pixel-aspect-ratio=1/1"
        let folder = scratch.path("frames")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let sink =
            "videoconvert ! video/x-raw,format=RGB ! pngenc snapshot=false ! multifilesink "
            + "location=\(folder)/%06d.png"
        let running = try RunningProcess(
            Tool.path, ["over-live", "--source", portrait, "--sink", sink, "file://\(stream)"])
        let wanted = try Self.colours(of: astronaut(320, 320))
        var shown: [[Int]] = []
        let isShown = try running.wait {
            // The last file may be incomplete.
            let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted().dropLast()
            guard let name = names.last else { return false }
            let frame = try Frame.picture("\(folder)/\(name)", "video/x-raw,format=RGB,width=320,height=320")
            shown = Self.colours(of: frame)
            // Until the first mask is made, only the stream is shown.
            return zip(shown[1], wanted[1]).allSatisfy { abs($0 - $1) < 30 }
        }
        running.interrupt()
        let result = running.finish()
        #expect(isShown, "\(shown), not \(wanted)")
        #expect(result.status == 0, "\(result.output)")
        let corner = try #require(shown.first)
        #expect(corner[1] > 200 && corner[0] < 60 && corner[2] < 60, "\(corner)")
    }

    /// Returns the colours of a corner and of the face.
    private static func colours(of frame: Frame) -> [[Int]] {
        [(10, 10), (145, 70)].map { x, y in (0..<3).map { Int(frame.samples($0)[y][x]) } }
    }

    /// The sink takes five of thirty frames per second.
    ///
    /// Otherwise the output would fall behind by five sixths of the elapsed time. The output stays behind
    /// by a few frames, however long these take.
    @Test func doesNotFallBehindASlowSink() throws {
        let scratch = try Scratch()
        let stream = try scratch.clip(
            "green.webm",
            "videotestsrc pattern=green num-buffers=300 ! \(caps("I420", 64, 48)) ! vp8enc deadline=1 ! webmmux"
        )
        let source =
            "videotestsrc is-live=true ! capsfilter caps=video/x-raw,format=I420,width=64,height=48,framerate=30/1"
        let result = try tool(
            "over-live",
            [
                "--source", source, "--sink", "identity sleep-time=200000 eos-after=30 ! fakesink sync=false",
                "file://\(stream)",
            ])
        #expect(result.status == 0, "\(result.output)")
        let report = try #require(
            result.output.firstMatch(of: #/(\d+) frames, .*?([0-9.]+) frames/s, latency (\d+) ms/#),
            "\(result.output)")
        let (frames, rate) = try (#require(Double(report.1)), #require(Double(report.2)))
        let latency = try #require(Double(report.3)) / 1000
        #expect(frames == 30 && latency < 0.4 * frames / rate, "\(report.0)")
    }

    @Test func endsWhenTheStreamIsNotThere() throws {
        let result = try tool(
            "over-live", ["--source", FakeCamera.raw, "--sink", "fakesink", "file:///nowhere.mp4"])
        #expect(result.status == 3, "\(result.output)")
    }
}
