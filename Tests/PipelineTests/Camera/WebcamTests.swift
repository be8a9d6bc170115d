import Foundation
import TestSupport
import Testing

/// `gst-people webcam` with replacements for the camera and the screen.
struct WebcamTests {
    private static let fewFrames = "fakesink num-buffers=20"

    @Test(arguments: [
        ["--blur", "101"], ["picture.jpg"], ["--color", "green"], ["--size", "0x10"],
        // Only one background is allowed.
        ["--blur", "5", "--color", "00b140"], ["--blur", "5", "--pose-color"],
        ["--blur", "5", "--angle", "yaw"],
        ["--pose-color", "--angle", "nod"], ["--quality", "best"], ["--speed"],
        ["--rotate", "45"], ["--flip", "both"],
    ])
    func refusesWrongUsage(_ arguments: [String]) throws {
        let result = try tool("webcam", arguments)
        #expect(result.status == 2, "\(result.output)")
    }

    /// One device does not exist, and one is no camera.
    @Test(arguments: ["/dev/video987", "/dev/null"])
    func endsWithoutACamera(_ device: String) throws {
        let result = try tool("webcam", ["--camera", device, "--sink", Self.fewFrames])
        #expect(result.status == 3 && LiveReport(result).frames == nil, "\(result.output)")
    }

    /// A camera in PipeWire replaces a real one: without a name, by name, and in another size.
    ///
    /// The script also checks that an unknown camera ends the tool with status 3.
    @Test func usesACameraInPipeWire() throws {
        let scratch = try Scratch()
        let result = try PipeWire.run(
            scratch, Checkout.script("use-camera"),
            [Tool.path, "webcam", "--color", "00b140", "--sink", Self.fewFrames])
        #expect(result.status == 0, "\(result.output)")
        let modes = result.output.matches(of: #/camera: YUY2 (\d+x\d+) at (\d+) frames/#).map {
            "\($0.1) \($0.2)"
        }
        #expect(modes == ["320x180 30", "320x180 30", "640x360 25"], "\(result.output)")
        #expect(result.output.matches(of: #/\n20 frames, /#).count == 3, "\(result.output)")
    }

    private static let hasCamera = FileManager.default.fileExists(atPath: "/dev/video0")

    @Test(.enabled(if: !hasCamera, "there is a camera")) func endsWhereThereIsNoCamera() throws {
        let result = try tool("webcam", ["--sink", Self.fewFrames])
        #expect(result.status == 3, "\(result.output)")
    }

    @Test func endsWithoutAScreen() throws {
        let nowhere: [String: String?] = ["DISPLAY": nil, "WAYLAND_DISPLAY": nil]
        let result = try tool("webcam", ["--stand-in"], environment: nowhere)
        #expect(result.status == 3, "\(result.output)")
    }

    @Test func playsThePackagedClipInsteadOfACamera() throws {
        let result = try tool("webcam", ["--stand-in", "--sink", Self.fewFrames])
        #expect(result.status == 0 && LiveReport(result).camera == nil)
        // A slow machine leaves out frames, since the clip plays at its own pace and ends.
        #expect((LiveReport(result).frames ?? 0) > 0)
        #expect(result.output.contains(#/[1-9][0-9.]* frames/s, latency [0-9]+ ms/#), "\(result.output)")
    }

    @Test func packagedClipHasTheSizeAskedFor() throws {
        let result = try tool(
            "webcam", ["--stand-in", "--size=320x240", "--blur=5", "--shadow=0.5", "--sink", Self.fewFrames])
        #expect(result.status == 0, "\(result.output)")
        #expect(LiveReport(result).output?.split(separator: " ")[1] == "320x240", "\(result.output)")
    }

    /// The tool asks whether to play the packaged clip instead of a camera.
    @Test(arguments: [("y", Int32(0)), ("n", Int32(3))])
    func asksOnATerminal(_ answer: String, _ status: Int32) throws {
        let line = "'\(Tool.path)' webcam --camera /dev/null --sink '\(Self.fewFrames)'"
        let typed = "echo \(answer) | script -qec \"$1\" /dev/null"
        let result = try Subprocess.run("bash", ["-c", typed, "bash", line])
        #expect(result.status == status, "\(result.output)")
        // Lines on a terminal begin with a carriage return.
        let report = LiveReport(result.output.replacingOccurrences(of: "\r", with: "\n"))
        #expect((report.frames != nil) == (status == 0), "\(result.output)")
    }

    @Test func decodesACameraOfJPEG() throws {
        let result = try tool(
            "webcam", ["--source", FakeCamera.jpeg, "--blur", "40", "--sink", Self.fewFrames])
        #expect(result.status == 0)
        let report = LiveReport(result)
        #expect(report.camera == "JPEG 320x180 at 30" && report.frames == 20, "\(result.output)")
    }

    @Test func refusesASizeThatTheCameraLacks() throws {
        let result = try tool(
            "webcam", ["--source", FakeCamera.raw, "--size", "640x480", "--sink", Self.fewFrames])
        #expect(result.status == 3 && LiveReport(result).camera == nil, "\(result.output)")
    }

    @Test func endsWhenTheBackgroundCannotBeRead() throws {
        let result = try tool(
            "webcam", ["--source", FakeCamera.raw, "--background", "/nowhere.jpg", "--sink", Self.fewFrames])
        #expect(result.status == 3, "\(result.output)")
    }

    @Test func controlCEndsIt() throws {
        let running = try RunningProcess(
            Tool.path, ["webcam", "--source", FakeCamera.raw, "--color", "00b140", "--sink", "fakesink"])
        running.wait { LiveReport(running.output).output != nil }
        running.interrupt()
        let result = running.finish()
        #expect(result.status == 0 && LiveReport(result).frames != nil, "\(result.output)")
    }

    /// The same still image, plain and mirrored: people change sides.
    @Test func mirrorSwapsSides() throws {
        let plain = try picture([])
        let mirrored = try picture(["--flip=horizontal"])
        try #require(plain.count == 256 * 144 && mirrored.count == plain.count)
        let turned = plain.indices.map { plain[$0 / 256 * 256 + 255 - $0 % 256] }
        // The model is not symmetric, so a small difference is left.
        #expect(3 * difference(mirrored, turned) < difference(mirrored, plain))
    }

    /// Returns one frame of the portrait in front of green, in grey.
    private func picture(_ options: [String]) throws -> [UInt8] {
        let scratch = try Scratch()
        let portrait =
            "filesrc location=\(Checkout.astronaut.path) ! pngdec ! imagefreeze is-live=true ! videoconvert "
            + "! videoscale ! capsfilter caps=video/x-raw,format=I420,width=256,height=144,framerate=30/1,"
            + "pixel-aspect-ratio=1/1"
        let file =
            "videoconvert ! video/x-raw,format=GRAY8 ! identity eos-after=2 "
            + "! filesink location=\(scratch.path("grey"))"
        let result = try tool(
            "webcam", ["--source", portrait, "--color", "00b140", "--sink", file] + options)
        #expect(result.status == 0, "\(result.output)")
        return Array(try Data(contentsOf: URL(fileURLWithPath: scratch.path("grey"))).prefix(256 * 144))
    }

    private func difference(_ one: [UInt8], _ other: [UInt8]) -> Double {
        Double(zip(one, other).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }) / Double(one.count)
    }
}
