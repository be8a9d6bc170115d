import Foundation
import TestSupport
import Testing

/// Output and messages when a camera or stream is lost and comes back.
struct LostCameraTests {
    /// A camera that a test can stop and end: a program that sends white frames by TCP.
    private final class Camera {
        private(set) var process: RunningProcess
        private(set) var port: Int

        init() throws {
            process = try Self.start(port: 0)
            port = 0
            let found = process.wait { Self.port(process.output) != nil }
            port = try #require(Self.port(process.output), "\(found) \(process.output)")
        }

        private static func port(_ output: String) -> Int? {
            output.firstMatch(of: #/current-port = ([1-9]\d*)/#).flatMap { Int($0.1) }
        }

        private static func start(port: Int) throws -> RunningProcess {
            let line =
                "videotestsrc is-live=true pattern=white ! \(mode) ! tcpserversink host=127.0.0.1 port=\(port)"
            return try RunningProcess("gst-launch-1.0", ["-v"] + line.split(separator: " ").map(String.init))
        }

        private static let mode = "video/x-raw,format=I420,width=320,height=180,framerate=30/1"

        var source: String {
            "tcpclientsrc host=127.0.0.1 port=\(port) ! rawvideoparse format=i420 width=320 height=180 framerate=30/1 "
                + "! capsfilter caps=\(Self.mode)"
        }

        func end() {
            process.interrupt()
            _ = process.finish()
        }

        func startAgain() throws { process = try Self.start(port: port) }
    }

    /// A tool that writes its frames in grey to a file.
    private struct Watched {
        let running: RunningProcess
        private let scratch: Scratch
        private let pixels: Int

        init(_ command: [String], pixels: Int) throws {
            scratch = try Scratch()
            self.pixels = pixels
            let sink =
                "videoconvert ! video/x-raw,format=GRAY8 ! filesink buffer-mode=unbuffered location=\(scratch.path("grey"))"
            running = try RunningProcess(Tool.path, command + ["--sink", sink])
        }

        /// A pixel in the middle of the newest frame; nil before the first frame.
        private var shade: UInt8? {
            guard let file = FileHandle(forReadingAtPath: scratch.path("grey")),
                let end = try? file.seekToEnd()
            else { return nil }
            defer { try? file.close() }
            let frames = end / UInt64(pixels)
            guard frames > 0 else { return nil }
            try? file.seek(toOffset: (frames - 1) * UInt64(pixels) + UInt64(pixels / 2))
            return (try? file.read(upToCount: 1))?.first
        }

        func becomesWhite() -> Bool { running.wait { shade.map { $0 > 200 } ?? false } }
        func becomesBlack() -> Bool { running.wait { shade.map { $0 < 40 } ?? false } }
        func says(_ words: Regex<Substring>, times: Int = 1) -> Bool {
            running.wait { running.output.matches(of: words).count >= times }
        }
    }

    @Test(arguments: ["webcam", "virtual-camera"])
    func coversALostCameraUntilItIsFoundAgain(_ command: String) throws {
        let camera = try Camera()
        // The original is shown, so nothing else hides the room.
        let tool = try Watched([command, "--original", "--source", camera.source], pixels: 320 * 180)
        #expect(tool.becomesWhite(), "\(tool.running.output)")
        // The camera is still there, but gives no frames.
        camera.process.halt()
        #expect(tool.becomesBlack(), "\(tool.running.output)")
        #expect(tool.says(#/camera: no frames for \d+ s\./#), "\(tool.running.output)")
        camera.process.goOn()
        #expect(tool.becomesWhite() && tool.says(#/camera: back /#), "\(tool.running.output)")
        // The camera is removed.
        camera.end()
        #expect(tool.becomesBlack() && tool.says(#/It is looked for\./#), "\(tool.running.output)")
        try camera.startAgain()
        #expect(tool.becomesWhite() && tool.says(#/camera: back /#, times: 2), "\(tool.running.output)")
        tool.running.interrupt()
        let result = tool.running.finish()
        #expect(result.status == 0, "\(result.output)")
    }

    /// A different camera in place of the first one does not change the size that other programs get.
    @Test func anotherCameraIsScaled() throws {
        let scratch = try Scratch()
        let sink = "videoconvert ! video/x-raw,format=GRAY8 ! filesink location=\(scratch.path("grey"))"
        let result = try PipeWire.run(
            scratch, Checkout.script("swap-camera"),
            [scratch.url.path, Tool.path, "webcam", "--original", "--sink", sink])
        #expect(result.status == 0, "\(result.output)")
        #expect(LiveReport(result).output == "YUY2 320x180 at 30", "\(result.output)")
        let size = try Data(contentsOf: URL(fileURLWithPath: scratch.path("grey"))).count
        #expect(size > 0 && size % (320 * 180) == 0, "\(size)")
    }

    /// The stream behind the people ends and comes back.
    @Test func theStreamIsFoundAgain() throws {
        let scratch = try Scratch()
        let stream = try scratch.clip(
            "white.webm",
            "videotestsrc pattern=white num-buffers=30 ! \(caps("I420", 64, 48)) ! vp8enc deadline=1 ! webmmux"
        )
        let source =
            "videotestsrc is-live=true pattern=black ! capsfilter caps=video/x-raw,format=I420,width=64,height=48,framerate=30/1"
        let tool = try Watched(["over-live", "--source", source, "file://\(stream)"], pixels: 64 * 48)
        for round in 1...2 {
            #expect(tool.becomesWhite() && tool.becomesBlack(), "\(tool.running.output)")
            #expect(tool.says(#/It is looked for\./#, times: round), "\(tool.running.output)")
        }
        tool.running.interrupt()
        let result = tool.running.finish()
        #expect(result.status == 0, "\(result.output)")
    }

    /// A camera without frames may be in use by another program, or be the wrong one.
    @Test func suggestsCausesWhenNoFirstFrameComes() throws {
        let camera = try Camera()
        camera.process.halt()
        let tool = try Watched(["webcam", "--original", "--source", camera.source], pixels: 320 * 180)
        #expect(tool.says(#/camera: no frames for \d+ s\..*--camera/#), "\(tool.running.output)")
        camera.process.goOn()
        #expect(tool.becomesWhite() && tool.says(#/camera: back /#), "\(tool.running.output)")
        tool.running.interrupt()
        #expect(tool.running.finish().status == 0)
    }
}
