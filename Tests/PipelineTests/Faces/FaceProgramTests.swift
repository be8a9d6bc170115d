import Foundation
import TestSupport
import Testing

/// The programs around facepose, run as a user runs them.
struct FaceProgramTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// Returns `count` frames of the portrait through some elements, as a branch of a pipeline description.
    private func portrait(_ count: Int, _ through: String) -> String {
        "filesrc location=\(Checkout.astronaut.path) ! pngdec ! videoconvert ! imagefreeze num-buffers=\(count) "
            + "! video/x-raw,framerate=25/1 ! videoconvert ! \(through)"
    }

    private func clip(_ branches: [String]) throws -> String {
        let path = scratch.path("clip.avi")
        let parts = branches.map { "\($0) ! videoconvert ! video/x-raw,format=I420 ! c." }
        let made = try Subprocess.launch(
            "concat name=c ! jpegenc quality=95 ! avimux ! filesink location=\(path) "
                + parts.joined(separator: " "))
        #expect(made.status == 0, "\(made.output)")
        return path
    }

    @Test func bestShotFindsTheSharpFrames() throws {
        let clip = try clip([
            portrait(6, "gaussianblur sigma=3"), portrait(6, "identity"), portrait(6, "gaussianblur sigma=2"),
        ])
        let folder = scratch.path("best")
        let result = try Subprocess.run(Tool.path, ["best-shot", clip, folder])
        #expect(result.status == 0, "\(result.output)")
        let time = result.output.split(separator: " ").compactMap { Double($0) }.first ?? -1
        #expect((0.23...0.45).contains(time), "\(result.output)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["person-1.png"])
        #expect(try Frame.picture("\(folder)/person-1.png", "video/x-raw,format=RGB").width == 512)
        let refused = try Subprocess.run(Tool.path, ["best-shot", clip, folder])
        #expect(refused.status == 4, "\(refused.output)")
        let cropped = try Subprocess.run(Tool.path, ["best-shot", clip, folder, "--crop", "--force"])
        #expect(cropped.status == 0, "\(cropped.output)")
        #expect(try Frame.picture("\(folder)/person-1.png", "video/x-raw,format=RGB").width < 400)
    }

    /// The head is tilted one way and the other, so the colour behind it is red or blue.
    @Test func oneAngleShowsItsSign() throws {
        for angle in [0.4, -0.4] {
            let clip = try clip([portrait(4, "rotate angle=\(angle)")])
            // The last value counts: pipelines/angle-tint gives one, too.
            let video = try Tool.make(
                clip, scratch.path("tint.mp4"), "--angle=yaw", "--angle=roll", "--force")
            let frame = try Frame.picture(video, "video/x-raw,format=RGB")
            let (red, blue) = (Int(frame.samples(0)[20][20]), Int(frame.samples(2)[20][20]))
            #expect(abs(red - blue) > 80, "\(red) \(blue)")
            // GStreamer's element turns counter-clockwise, which is a positive roll.
            #expect((red > blue) == (angle > 0))
        }
    }

    @Test func theExamplesPlotTheSameCurve() throws {
        let examples = Checkout.root.appendingPathComponent("pipelines/examples")
        let program = scratch.path("yaw")
        let flags = try Subprocess.run("pkg-config", ["--cflags", "--libs", "gstreamer-app-1.0"]).output
        let compiled = try Subprocess.run(
            "cc",
            ["-Wall", "-Wextra", "-Werror", examples.appendingPathComponent("yaw.c").path, "-o", program]
                + flags.split(whereSeparator: \.isWhitespace).map(String.init) + ["-lm"])
        #expect(compiled.status == 0, "\(compiled.output)")
        let clip = try clip([portrait(4, "identity"), portrait(4, "videoflip method=horizontal-flip")])
        let (one, other) = (scratch.path("c.png"), scratch.path("python.png"))
        let inC = try Subprocess.run(program, [clip, one])
        #expect(inC.status == 0, "\(inC.output)")
        let inPython = try Subprocess.run(
            "/usr/bin/python3", [examples.appendingPathComponent("yaw.py").path, clip, other])
        #expect(inPython.status == 0, "\(inPython.output)")
        let plots = try [one, other].map { try Frame.picture($0, "video/x-raw,format=RGB") }
        #expect(plots[0].width == 800 && plots[0].height == 400)
        // The two round positions between pixels differently.
        let differing = zip(plots[0].samples(1).joined(), plots[1].samples(1).joined()).filter { $0 != $1 }
        #expect(differing.count < 800 * 400 / 100, "\(differing.count)")
        // Only the curve is coloured.
        let (red, blue) = (plots[0].samples(0).joined(), plots[0].samples(2).joined())
        #expect(zip(red, blue).contains { Int($0) - Int($1) > 100 })
        let nobody = try Subprocess.run(program, [Checkout.root.path + "/README.md", one])
        #expect(nobody.status == 1, "\(nobody.output)")
    }
}
