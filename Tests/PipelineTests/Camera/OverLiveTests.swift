import Foundation
import TestSupport
import Testing

/// `gst-people over-live`: the cut-out people over another stream.
struct OverLiveTests {
    @Test(arguments: [[], ["file:///a.mp4", "file:///b.mp4"]])
    func takesOneStream(_ streams: [String]) throws {
        let result = try tool("over-live", ["--stand-in"] + streams)
        #expect(result.status == 2, "\(result.output)")
    }

    /// The other stream fills the image where nobody is, at any size of its own.
    @Test func showsTheStreamBehindThePeople() throws {
        let scratch = try Scratch()
        let stream = try scratch.clip(
            "green.webm",
            "videotestsrc pattern=green num-buffers=100 ! \(caps("I420", 64, 48)) ! vp8enc deadline=1 ! webmmux"
        )
        let file = scratch.path("out.png")
        let portrait =
            "filesrc location=\(Checkout.astronaut.path) ! pngdec ! videoconvert ! videoscale "
            + "! imagefreeze num-buffers=60 ! capsfilter caps=video/x-raw,format=NV12,width=320,height=320,framerate=30/1"
            + ",pixel-aspect-ratio=1/1 ! clocksync"
        let result = try tool(
            "over-live",
            [
                "--source", portrait, "--sink",
                "videoconvert ! video/x-raw,format=RGB ! identity eos-after=30 ! pngenc snapshot=false ! multifilesink location=\(file)",
                "file://\(stream)",
            ])
        #expect(result.status == 0, "\(result.output)")
        let shown = try Frame.picture(file, "video/x-raw,format=RGB,width=320,height=320")
        let portraitFrame = try astronaut(320, 320)
        let colour = { (frame: Frame, x: Int, y: Int) in (0..<3).map { Int(frame.samples($0)[y][x]) } }
        let corner = colour(shown, 10, 10)
        #expect(corner[1] > 200 && corner[0] < 60 && corner[2] < 60, "\(corner)")
        let (face, expected) = (colour(shown, 145, 70), colour(portraitFrame, 145, 70))
        #expect(zip(face, expected).allSatisfy { abs($0 - $1) < 30 }, "\(face) \(expected)")
    }

    /// Five frames a second are taken of the thirty that are made: in six seconds the output would fall five behind.
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
        let last = result.output.split(separator: "\n").last ?? ""
        let latency = last.split(separator: " ").dropLast().last.flatMap { Int($0) }
        #expect(latency.map { $0 < 1500 } == true, "\(last)")
    }

    @Test func endsWhenTheStreamIsNotThere() throws {
        let result = try tool(
            "over-live", ["--source", FakeCamera.raw, "--sink", "fakesink", "file:///nowhere.mp4"])
        #expect(result.status == 3, "\(result.output)")
    }
}
