import Foundation
import TestSupport
import Testing

/// `gst-people webcam` with stand-ins for the camera and the screen.
struct WebcamTests {
    private static let fewFrames = "fakesink num-buffers=20"

    @Test(arguments: ["webcam", "virtual-camera"])
    func helpNamesTheOptions(_ program: String) throws {
        let result = try tool(program, ["--help"])
        #expect(result.status == 0)
        for option in [
            "--camera", "--size", "--quality", "--background", "--blur", "--color", "--mirror", "--stand-in",
        ] {
            #expect(result.output.contains(option))
        }
    }

    @Test(arguments: [
        (["--blur", "101"], "takes a number from 0 to 100"), (["picture.jpg"], "no arguments"),
        (["--color", "green"], "six hexadecimal digits"), (["--size", "0x10"], "takes a size"),
        (["--blur", "5", "--color", "00b140"], "only one background"),
        (["--blur", "5", "--pose-color"], "only one background"),
        (["--pose-color", "--angle", "nod"], "--angle is roll, yaw, pitch, not nod"),
        (["--blur", "5", "--angle", "yaw"], "only one background"),
        (["--quality", "best"], "--quality is fast, balanced, accurate"), (["--speed"], "--speed"),
    ])
    func wrongOptions(_ arguments: [String], _ message: String) throws {
        let result = try tool("webcam", arguments)
        #expect(result.status == 2)
        #expect(result.output.contains(message), "\(result.output)")
    }

    @Test func missingCamera() throws {
        let result = try tool("webcam", ["--camera", "/dev/video987", "--sink", Self.fewFrames])
        #expect(result.status == 3)
        #expect(result.output.contains("there is no /dev/video987"))
        #expect(result.output.contains("--stand-in"))
    }

    @Test func notACamera() throws {
        let result = try tool("webcam", ["--camera", "/dev/null", "--sink", Self.fewFrames])
        #expect(result.status == 3)
        #expect(result.output.contains("/dev/null: "))
    }

    /// A camera that PipeWire shows stands in for a real one: by name, without one, and in another size.
    @Test func cameraInPipeWire() throws {
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
        #expect(
            result.output.contains("PipeWire has no camera rear. Cameras there: front."), "\(result.output)")
    }

    private static let hasCamera = FileManager.default.fileExists(atPath: "/dev/video0")

    @Test(.enabled(if: !hasCamera, "there is a camera")) func noCameraAtAll() throws {
        let result = try tool("webcam", ["--sink", Self.fewFrames])
        #expect(result.status == 3 && result.output.contains("no camera found."), "\(result.output)")
    }

    @Test func noScreen() throws {
        let nowhere: [String: String?] = ["DISPLAY": nil, "WAYLAND_DISPLAY": nil]
        let result = try tool("webcam", ["--stand-in"], environment: nowhere)
        #expect(result.status == 3)
        #expect(result.output.contains("no screen"))
    }

    @Test func packagedClipStandsIn() throws {
        let result = try tool("webcam", ["--stand-in", "--sink", Self.fewFrames])
        #expect(result.status == 0)
        #expect(result.output.contains("stand-in: the packaged clip"))
        // A slow machine leaves out frames, since the clip plays at its own pace and ends.
        #expect(result.output.contains(#/\n[1-9][0-9]* frames, /#))
        #expect(result.output.contains(#/[1-9][0-9.]* frames/s, latency [0-9]+ ms/#), "\(result.output)")
    }

    @Test func packagedClipHasTheSizeAskedFor() throws {
        let result = try tool(
            "webcam", ["--stand-in", "--size=320x240", "--blur=5", "--shadow=0.5", "--sink", Self.fewFrames])
        #expect(result.status == 0 && result.output.contains("320x240"), "\(result.output)")
    }

    @Test(arguments: [("y", Int32(0), " frames, "), ("n", Int32(3), "no camera")])
    func asksOnATerminal(_ answer: String, _ status: Int32, _ text: String) throws {
        let line = "'\(Tool.path)' webcam --camera /dev/null --sink '\(Self.fewFrames)'"
        let typed = "echo \(answer) | script -qec \"$1\" /dev/null"
        let result = try Subprocess.run("bash", ["-c", typed, "bash", line])
        #expect(result.output.contains("Play the packaged clip instead?"))
        #expect(result.status == status)
        #expect(result.output.contains(text), "\(result.output)")
    }

    @Test func cameraThatDeliversJPEG() throws {
        let result = try tool(
            "webcam", ["--source", FakeCamera.jpeg, "--blur", "40", "--sink", Self.fewFrames])
        #expect(result.status == 0)
        #expect(result.output.contains("camera: JPEG 320x180 at 30 frames/s"))
        #expect(result.output.contains("20 frames, "), "\(result.output)")
    }

    @Test func modeThatTheCameraLacks() throws {
        let result = try tool(
            "webcam", ["--source", FakeCamera.raw, "--size", "640x480", "--sink", Self.fewFrames])
        #expect(result.status == 3)
        #expect(result.output.contains("no such mode"))
        #expect(result.output.contains("width=(int)320"))
    }

    @Test func unreadableBackground() throws {
        let result = try tool(
            "webcam", ["--source", FakeCamera.raw, "--background", "/nowhere.jpg", "--sink", Self.fewFrames])
        #expect(result.status == 3)
        #expect(result.output.contains("/nowhere.jpg"))
    }

    @Test func controlCEndsIt() throws {
        let running = try RunningProcess(
            Tool.path, ["webcam", "--source", FakeCamera.raw, "--color", "00b140", "--sink", "fakesink"])
        running.wait { running.output.contains("output:") }
        running.interrupt()
        let result = running.finish()
        #expect(result.status == 0)
        #expect(result.output.contains(#/[0-9]+ frames, /#))
    }

    /// The same still picture, plain and mirrored: people change sides.
    @Test func mirrorSwapsSides() throws {
        let plain = try picture([])
        let mirrored = try picture(["--mirror"])
        try #require(plain.count == 256 * 144 && mirrored.count == plain.count)
        let turned = plain.indices.map { plain[$0 / 256 * 256 + 255 - $0 % 256] }
        // The model is not symmetric: a little is left.
        #expect(3 * difference(mirrored, turned) < difference(mirrored, plain))
    }

    /// One frame of the portrait before green, in grey.
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
