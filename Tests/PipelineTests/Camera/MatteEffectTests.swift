import Foundation
import TestSupport
import Testing

/// `gst-people webcam --pose-color` with replacements for the camera and the screen.
struct MatteEffectTests {
    @Test func playsThePackagedClipInsteadOfACamera() throws {
        let result = try tool("webcam", ["--pose-color", "--stand-in", "--sink", "fakesink num-buffers=20"])
        #expect(result.status == 0, "\(result.output)")
        // A slow machine leaves out frames, since the clip plays at its own pace and ends.
        #expect(result.output.contains(#/\n[1-9][0-9]* frames, /#), "\(result.output)")
    }

    /// The portrait, upright and tilted; the amount of red tells these apart.
    @Test func redFollowsTheTilt() throws {
        // GStreamer's element turns counter-clockwise, which is a positive roll.
        let turns = ["-0.4", "0", "0.4"]
        let reds = try turns.map { Int(try corner("rotate angle=\($0)")[0]) }
        #expect(reds[0] < reds[1] - 40, "\(reds)")
        #expect(reds[2] > reds[1] + 40, "\(reds)")
    }

    /// Returns R, G, B of the upper left corner of one frame.
    private func corner(_ turn: String) throws -> [UInt8] {
        let scratch = try Scratch()
        let portrait =
            "filesrc location=\(Checkout.astronaut.path) ! pngdec ! imagefreeze is-live=true ! videoconvert "
            + "! videoscale ! video/x-raw,format=AYUV,width=320,height=320 ! \(turn) ! videoconvert "
            + "! capsfilter caps=video/x-raw,format=RGB,width=320,height=320,framerate=30/1"
        let file =
            "videoconvert ! video/x-raw,format=RGB ! identity eos-after=2 "
            + "! filesink location=\(scratch.path("colours"))"
        let result = try tool("webcam", ["--pose-color", "--source", portrait, "--sink", file])
        #expect(result.status == 0, "\(result.output)")
        return Array(try Data(contentsOf: URL(fileURLWithPath: scratch.path("colours"))).prefix(3))
    }
}
