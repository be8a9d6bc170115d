import Foundation
import TestSupport
import Testing

/// `gst-people photo --auto-crop`.
struct AutoCropTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// Returns a light wall of 480x240 with an orange ball of 38 pixels at three quarters of its width.
    private func ball() throws -> String {
        let (path, wall) = (scratch.path("ball.png"), "0xffe8e8e8")
        let source = "videotestsrc num-buffers=1"
        let result = try Subprocess.launch(
            "compositor name=c sink_1::xpos=300 sink_1::ypos=60 ! video/x-raw,format=RGB,width=480,height=240 "
                + "! pngenc ! filesink location=\(path) "
                + "\(source) pattern=solid-color foreground-color=\(wall) ! video/x-raw,width=480,height=240 ! c.sink_0 "
                + "\(source) pattern=ball foreground-color=0xffff8000 background-color=\(wall) "
                + "! video/x-raw,width=120,height=120 ! c.sink_1")
        #expect(result.status == 0, "\(result.output)")
        return path
    }

    private func size(_ path: String) throws -> (width: Int, height: Int) {
        // The header chunk of PNG: width and height, big-endian.
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        func number(_ place: Int) -> Int { bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
        return (number(16), number(20))
    }

    @Test(arguments: [("1:1", 1.0), ("2:3", 2.0 / 3)]) func keepsTheSubject(shape: String, ratio: Double)
        throws
    {
        let output = scratch.path("out.png")
        let result = try Subprocess.run(Tool.path, ["photo", try ball(), output, "--auto-crop", shape])
        #expect(result.status == 0, "\(result.output)")
        let (width, height) = try size(output)
        #expect(width < 120 && height < 120 && abs(Double(width) / Double(height) - ratio) < 0.05)
        // The background is not replaced, and the whole ball is inside.
        let frame = try Frame.picture(output, "video/x-raw,format=RGB,width=\(width),height=\(height)")
        let (red, blue) = (frame.samples(0), frame.samples(2))
        let isBall = { (x: Int, y: Int) in red[y][x] > 150 && blue[y][x] < 100 }
        #expect((0..<height).contains { y in (0..<width).contains { isBall($0, y) } })
        #expect((0..<height).allSatisfy { !isBall(0, $0) && !isBall(width - 1, $0) })
        #expect(red[1][1] > 200 && blue[1][1] > 200)
    }

    /// The portrait's subject is as high as the image: a crop of its middle would cut off the forehead.
    @Test(arguments: ["16:9", "2:1"]) func keepsTheFaceWhereTheSubjectDoesNotFit(shape: String) throws {
        let output = scratch.path("out.png")
        let cropped = try Subprocess.run(
            Tool.path, ["photo", Checkout.astronaut.path, output, "--auto-crop", shape])
        #expect(cropped.status == 0, "\(cropped.output)")
        let face = try self.face(output)
        #expect(face.top > 0.1 && face.bottom < 0.95, "\(face)")
    }

    /// Returns the top and bottom of a picture's only face, as fractions of the height.
    private func face(_ path: String) throws -> (top: Double, bottom: Double) {
        let listed = try Subprocess.run(Tool.path, ["faces", path])
        let line = try JSONSerialization.jsonObject(with: Data(listed.output.utf8)) as? [String: Any]
        let faces = try #require(line?["faces"] as? [[String: Any]])
        #expect(faces.count == 1)
        let face = try #require(faces.first)
        let (top, height) = (try #require(face["y"] as? Double), try #require(face["height"] as? Double))
        return (top, top + height)
    }

    /// A close-up in portrait format: the face fits, but its margins do not.
    @Test(arguments: ["1:1", "16:9", "9:16"]) func keepsAFaceThatHardlyFits(shape: String) throws {
        let (photo, output) = (scratch.path("close.png"), scratch.path("out.png"))
        let result = try Subprocess.launch(
            "filesrc location=\(Checkout.astronaut.path) ! pngdec ! videocrop left=130 right=152 top=20 bottom=182 "
                + "! videoconvert ! pngenc ! filesink location=\(photo)")
        #expect(result.status == 0, "\(result.output)")
        let cropped = try Subprocess.run(Tool.path, ["photo", photo, output, "--auto-crop", shape])
        #expect(cropped.status == 0, "\(cropped.output)")
        let face = try self.face(output)
        #expect(face.top > -0.02 && face.bottom < 1.02, "\(face)")
    }

    /// The example for videos, with the three people of the clip, who stand still, in a shape for one of
    /// them.
    @Test func theExampleFollowsPeople() throws {
        let program = Checkout.root.appendingPathComponent("pipelines/examples/reframe.py").path
        let source = "filesrc location=\(Checkout.clip.path) ! decodebin ! identity eos-after=4"
        let result = try Subprocess.run(
            "/usr/bin/python3",
            [
                "-W", "ignore", program, source,
                "videoconvert ! pngenc ! multifilesink location=\(scratch.path("%d.png"))", "9:16",
            ])
        #expect(result.status == 0, "\(result.output)")
        for frame in 0..<3 {
            let (width, height) = try size(scratch.path("\(frame).png"))
            #expect(width == 404 && height == 720, "\(width)x\(height)")
        }
    }

    @Test(arguments: ["16", "16:0", "a:b", "1:2:3"]) func refusesMalformedShapes(_ shape: String) throws {
        let result = try Subprocess.run(
            Tool.path, ["photo", Checkout.astronaut.path, scratch.path("no.png"), "--auto-crop", shape])
        #expect(result.status == 2, "\(result.output)")
    }
}
