import Foundation
import TestSupport
import Testing

/// `gst-people virtual-camera` without the kernel module: caps and messages, with replacements for the
/// device.
struct VirtualCameraTests {
    /// One device does not exist, and one is no camera.
    @Test(arguments: ["/dev/video987", "/dev/null"])
    func endsWithoutADevice(_ device: String) throws {
        let result = try tool("virtual-camera", ["--device", device, "--stand-in"])
        #expect(result.status == 3 && LiveReport(result).frames == nil, "\(result.output)")
    }

    private static let hasDevice = FileManager.default.fileExists(atPath: "/sys/devices/virtual/video4linux")

    @Test(.enabled(if: !hasDevice, "there is a virtual camera")) func endsWhereThereIsNoVirtualCamera() throws
    {
        // PipeWire does not run either.
        let result = try tool(
            "virtual-camera", ["--stand-in"], environment: ["XDG_RUNTIME_DIR": try Scratch().url.path])
        #expect(result.status == 3, "\(result.output)")
    }

    /// A client reads the camera, and goes on when the camera comes back in another size; another client
    /// comes and goes meanwhile.
    @Test func isReadBackFromPipeWire() throws {
        let scratch = try Scratch()
        let result = try PipeWire.run(
            scratch, "/usr/bin/python3",
            [
                Checkout.script("read_camera.py"), Tool.path, "virtual-camera", "--pipewire", "--color",
                "00b140",
                "--", "--source", FakeCamera.raw, "--", "--source", FakeCamera.large,
            ])
        #expect(result.status == 0, "\(result.output)")
        for (size, pixels) in [("320x180", 320 * 180), ("640x360", 640 * 360)] {
            let frames = { (bytes: Int) in "\(size) YUY2, 5 frames of \(bytes) bytes" }
            #expect(result.output.split(separator: frames(3 * pixels)).count == 3, "\(result.output)")
            #expect(result.output.split(separator: frames(pixels * 3 / 2)).count == 2, "\(result.output)")
        }
        let colors = result.output.matches(of: #/first pixel (\d+) (\d+) (\d+)/#).compactMap { match in
            [match.1, match.2, match.3].compactMap { Int($0) }
        }
        let isGreen = colors.map { $0[1] > $0[0] + 60 && $0[1] > $0[2] + 60 }
        // RGB and I420 in turns; the first values of I420 do not belong to one pixel.
        #expect(isGreen.count == 6 && isGreen[0] && isGreen[2] && isGreen[3] && isGreen[5], "\(colors)")
    }

    /// When clients are slow, stopped or killed, at most frames are lost, or the camera is reopened.
    @Test func slowAndKilledClientsDoNotStopTheCamera() throws {
        let scratch = try Scratch()
        let result = try PipeWire.run(
            scratch, "/usr/bin/python3",
            [
                Checkout.script("crowd_camera.py"), Tool.path, "virtual-camera", "--pipewire", "--color",
                "00b140", "--source", FakeCamera.raw,
            ])
        #expect(result.status == 0, "\(result.output)")
        #expect(result.output.split(separator: "\nread again\n").count == 3, "\(result.output)")
    }

    @Test(arguments: [
        ("virtual-camera", ["--pipewire"]), ("webcam", ["--camera", "front", "--sink", "fakesink"]),
    ])
    func endsWhenPipeWireIsNotInstalled(_ command: String, _ arguments: [String]) throws {
        let scratch = try Scratch()
        let environment = try Checkout.pluginsWithout("libgstpipewire.so", scratch)
        let result = try tool(command, arguments, environment: environment)
        #expect(result.status == 5, "\(result.output)")
    }

    /// Other programs get whole frames in the one format, whatever the camera delivers.
    @Test(
        arguments: [("YUY2", 2 * 320 * 180), ("I420", 320 * 180 * 3 / 2)],
        [FakeCamera.raw, FakeCamera.jpeg, FakeCamera.rgb])
    func deliversOneFormat(_ format: (name: String, bytes: Int), _ camera: String) throws {
        let scratch = try Scratch()
        let sink = "identity eos-after=9 ! filesink location=\(scratch.path("frames"))"
        let result = try tool(
            "virtual-camera",
            [
                "--source", camera, "--format", format.name, "--color", "00b140", "--sink",
                sink,
            ])
        #expect(result.status == 0)
        #expect(LiveReport(result).output == "\(format.name) 320x180 at 30", "\(result.output)")
        let bytes = try Data(contentsOf: URL(fileURLWithPath: scratch.path("frames"))).count
        #expect(bytes > 0 && bytes % format.bytes == 0)
    }

    @Test func virtualCamerasTakeTheFormats() throws {
        let code = """
            taken = Gst.ElementFactory.find("v4l2sink").get_static_pad_templates()[0].get_caps()
            for format in "YUY2", "I420":
                fixed = f"video/x-raw,format={format},width=1280,height=720,framerate=30/1,"
                fixed += "pixel-aspect-ratio=1/1,interlace-mode=progressive"
                print(Gst.Caps.from_string(fixed).is_subset(taken))
            """
        #expect(try python(code).output.hasSuffix("True\nTrue\n"))
    }

    @Test func endsWhenTheSinkTakesAnotherFormat() throws {
        let picky = "capsfilter caps=video/x-raw,format=NV12 ! fakesink"
        let result = try tool("virtual-camera", ["--source", FakeCamera.raw, "--sink", picky])
        #expect(result.status == 1 && LiveReport(result).frames == nil, "\(result.output)")
    }
}
