import Foundation
import TestSupport
import Testing

/// `gst-people faces`, `bodies`, `hands` and `people`: a line of JSON per frame.
struct ListingTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// Returns frames of the portrait at 25 frames per second, stored out of order.
    private func clip(_ frames: Int) throws -> String {
        try scratch.clip(
            "clip.mp4",
            "filesrc location=\(Checkout.astronaut.path) ! pngdec ! imagefreeze num-buffers=\(frames) ! videoconvert "
                + "! \(caps("I420", 512, 512)) ! x264enc speed-preset=ultrafast bframes=2 b-adapt=false ! mp4mux"
        )
    }

    /// Returns the lines that the tool prints for a clip; the first one has the units, and times are as
    /// players show them.
    private func listing(_ arguments: [String]) throws -> [[String: Any]] {
        let result = try Subprocess.run(Tool.path, arguments)
        #expect(result.status == 0, "\(result.output)")
        let lines = objects(result)
        for (index, line) in lines.enumerated() {
            #expect(abs((line["timestamp"] as? Double ?? -1) - Double(index) / 25) < 0.001)
            #expect(index == 0 ? line["units"] is [String: String] : line["units"] == nil)
        }
        return lines
    }

    @Test func facesHaveALinePerFrame() throws {
        let lines = try listing(["faces", try clip(4), "--landmarks", "--capture-quality", "--max-faces=1"])
        #expect(lines.count == 4)
        #expect((lines.first?["units"] as? [String: String])?["yaw"] == "rad")
        for line in lines {
            let face = try #require((line["faces"] as? [[String: Any]])?.first)
            #expect(face["id"] as? Int == 1 && face["quality"] is Double && face["mesh"] == nil)
            let landmarks = try #require(face["landmarks"] as? [String: [[Double]]])
            #expect(landmarks["nose"]?.count == 8 && landmarks["left-pupil"]?.first?.count == 3)
        }
    }

    @Test func listsTheBodiesOfAnImage() throws {
        let result = try Subprocess.run(Tool.path, ["bodies", Checkout.astronaut.path, "--pose-3d"])
        #expect(result.status == 0, "\(result.output)")
        let body = try #require((objects(result).first?["bodies"] as? [[String: Any]])?.first)
        #expect(body["upper-body-only"] as? Bool == true && body["body-height"] is Double)
        // People have numbers only in `people`, which knows their masks.
        #expect(body["person"] == nil && body["faces"] == nil && body["hands"] == nil)
        let joints = try #require(body["joints"] as? [String: [Double]])
        #expect(joints.count == 19 && joints["nose"]?.count == 3)
        #expect((body["joints-3d"] as? [String: [Double]])?.count == 17)
    }

    @Test func listsTheHandsOfAnImage() throws {
        let result = try Subprocess.run(Tool.path, ["hands", Checkout.astronaut.path, "--pose-3d"])
        #expect(result.status == 0, "\(result.output)")
        let line = try #require(objects(result).first)
        #expect(line["hands"] is [[String: Any]] && line["timestamp"] as? Double == 0)
        #expect((line["units"] as? [String: String])?["joints-3d"] == "m")
    }

    @Test func peopleHaveALinePerFrame() throws {
        let lines = try listing(["people", try clip(3), "--max-people=2", "--quality=fast", "--pose-3d"])
        #expect(lines.count == 3)
        var ids: [Int] = []
        for line in lines {
            let person = try #require((line["people"] as? [[String: Any]])?.first)
            ids.append(try #require(person["id"] as? Int))
            let area = try #require(person["mask-area"] as? Double)
            #expect(area > 0.2 && area < 0.9)
            let (width, height) = (
                try #require(person["width"] as? Double), try #require(person["height"] as? Double)
            )
            #expect(area <= width * height, "the mask lies in the person's box")
            let face = try #require(person["face"] as? [String: Any])
            #expect(face["yaw"] is Double && face["pitch"] is Double && face["roll"] is Double)
            let body = try #require(person["body"] as? [String: Any])
            #expect((body["joints"] as? [String: [Double]])?.count == 19)
            #expect((body["joints-3d"] as? [String: [Double]])?.count == 17)
            // The nesting in the person shows whose parts these are; no hands are visible.
            #expect(person["hands"] is [[String: Any]] && face["person"] == nil && body["person"] == nil)
        }
        #expect(Set(ids).count == 1, "a person keeps the id: \(ids)")
    }

    @Test func withoutPeopleTheListIsEmpty() throws {
        let path = scratch.path("grey.png")
        let made = try Subprocess.launch(
            "videotestsrc num-buffers=1 pattern=solid-color foreground-color=0xff808080 "
                + "! video/x-raw,format=RGB,width=96,height=64 ! pngenc ! filesink location=\(path)")
        #expect(made.status == 0, "\(made.output)")
        let result = try Subprocess.run(Tool.path, ["people", path, "--quality=fast"])
        #expect(result.status == 0, "\(result.output)")
        #expect((objects(result).first?["people"] as? [[String: Any]])?.isEmpty == true)
    }

    // MARK: - Parts

    /// Returns the time of each line.
    private func times(_ arguments: [String]) throws -> [Double] {
        let result = try Subprocess.run(Tool.path, arguments)
        #expect(result.status == 0, "\(arguments): \(result.output)")
        return objects(result).compactMap { $0["timestamp"] as? Double }
    }

    /// Frames are shown for 0.04 s; the list begins with the frame that is shown at the start.
    private static let parts: [([String], [Double])] = [
        (["--start=0.2", "--end=0.32"], [0.2, 0.24, 0.28]),
        (["--start=0:00.21", "--end=0.25"], [0.2, 0.24]),
        (["--end=0.08"], [0, 0.04]), (["--every=0.1"], [0, 0.08, 0.2, 0.28]),
        (["--start=0.05", "--every=0.12", "--end=0.3"], [0.04, 0.16, 0.28]),
        (["--every=0.01", "--end=0.1"], [0, 0.04, 0.08]), (["--every=60"], [0]),
        (["--start=0.38", "--every=0.01"], [0.36]),
    ]

    @Test(arguments: parts)
    func aPartOfAVideoListsTheFramesShownInIt(_ options: [String], _ expected: [Double]) throws {
        let found = try times(["hands", try clip(10)] + options)
        #expect(found.count == expected.count, "\(options): \(found)")
        for (one, other) in zip(found, expected) { #expect(abs(one - other) < 0.001, "\(options): \(found)") }
    }

    @Test(arguments: ["faces", "bodies", "hands", "people"])
    func linesWithAnIntervalEqualThoseOfTheWholeList(_ command: String) throws {
        let clip = try clip(8)
        let (all, some) = (try printed([command, clip]), try printed([command, clip, "--every=0.12"]))
        try #require(all.count == 8, "\(all)")
        #expect(some == [all[0], all[3], all[6]])
    }

    /// Returns the printed lines of JSON.
    private func printed(_ arguments: [String]) throws -> [Substring] {
        let result = try Subprocess.run(Tool.path, arguments)
        #expect(result.status == 0, "\(result.output)")
        return result.output.split(separator: "\n").filter { $0.hasPrefix("{") }
    }

    /// Returns the portrait, on the left in the first thirty frames, then on the right; one group of
    /// pictures, stored out of order.
    private func jump(_ name: String, _ options: [String]) throws -> String {
        let graph = "[1]scale=180:180[p];[0][p]overlay=x='if(lt(t,1.19),0,460)':shortest=1,format=yuv420p"
        let inputs = [
            "-f", "lavfi", "-i", "color=gray:s=640x180:r=25:d=2", "-loop", "1", "-r", "25", "-i",
            Checkout.astronaut.path,
        ]
        let made = try Subprocess.run(
            "ffmpeg",
            ["-nostdin", "-v", "error"] + inputs + ["-filter_complex", graph, "-frames:v", "50"] + options
                + [scratch.path(name)])
        guard made.status == 0 else { throw SetupFailure(made.output) }
        return scratch.path(name)
    }

    private static let h264 = ["-c:v", "libx264", "-preset", "ultrafast", "-g", "250", "-bf", "3"]
    private static let containers: [(String, [String])] = [
        ("in.mp4", h264), ("in.mkv", h264), ("in.ts", h264 + ["-output_ts_offset", "5"]),
        ("in.avi", ["-c:v", "mpeg4", "-g", "250"]),
        ("in.webm", ["-c:v", "libvpx", "-deadline", "realtime", "-b:v", "1M", "-g", "250"]),
    ]

    @Test(arguments: containers)
    func partsStartWithTheFrameOfTheGivenTime(_ name: String, _ options: [String]) throws {
        let clip = try jump(name, options)
        for (start, isLeft) in [("0.4", true), ("1.16", true), ("1.21", false), ("1.6", false)] {
            let end = "--end=\((Double(start) ?? 0) + 0.02)"
            let result = try Subprocess.run(Tool.path, ["faces", clip, "--start=\(start)", end])
            let line = try #require(objects(result).first, "\(result.output)")
            let face = try #require((line["faces"] as? [[String: Any]])?.first, "\(name) at \(start)")
            #expect(((face["x"] as? Double ?? -1) < 0.5) == isLeft, "\(name) at \(start): \(face)")
        }
    }

    @Test func placesAreThoseOfTheUprightFrame() throws {
        let portrait = "! videoscale ! \(caps("I420", 256, 512))"
        let upright = try scratch.clip("upright.mp4", Clip.astronaut("\(portrait) ! x264enc ! mp4mux"))
        let turned = try scratch.clip(
            "sideways.mp4", Clip.astronaut("\(portrait) ! videoflip video-direction=90l ! x264enc ! mp4mux"))
        var clip = try MP4(turned)
        try clip.turn(height: 256)
        try clip.write(scratch.path("in.mp4"))
        let places = try [upright, scratch.path("in.mp4")].map { path in
            let result = try Subprocess.run(Tool.path, ["faces", path, "--end=0.04"])
            let face = try #require(
                (objects(result).first?["faces"] as? [[String: Any]])?.first, "\(result.output)")
            return ["x", "y", "width", "height"].map { face[$0] as? Double ?? -1 }
        }
        for (one, other) in zip(places[0], places[1]) { #expect(abs(one - other) < 0.02, "\(places)") }
    }

    @Test func damagedVideosAreErrors() throws {
        let whole = try Data(
            contentsOf: URL(
                fileURLWithPath: try scratch.clip("in.mp4", "\(Clip.video) ! mp4mux faststart=true")))
        let input = try scratch.file("cut.mp4", whole.prefix(whole.count * 6 / 10))
        let refused = try Subprocess.run(Tool.path, ["faces", input])
        #expect(refused.status == 3 && refused.output.contains("--damaged"), "\(refused.output)")
        #expect(objects(refused).isEmpty)
        let read = try Subprocess.run(Tool.path, ["faces", input, "--damaged"])
        #expect(read.status == 0 && (5..<50).contains(objects(read).count), "\(read.output)")
        #expect(read.output.contains("damaged or truncated"), "what is missing is said")
    }

    @Test(arguments: ["--start=1", "--end=1", "--every=1"])
    func picturesHaveNoTimes(_ option: String) throws {
        let result = try Subprocess.run(Tool.path, ["faces", Checkout.astronaut.path, option])
        #expect(result.status == 2 && objects(result).isEmpty, "\(result.output)")
    }

    private static let refused: [([String], Int32)] = [
        (["faces"], 2), (["faces", "a", "b"], 1), (["faces", "a", "--format=xml"], 2),
        (["bodies", "a", "b", "--gltf=c.glb"], 2), (["bodies", "a", "--max-people=0"], 2),
        (["bodies", "/nonexistent.mp4"], 3), (["faces", "README.md"], 3),
        (["best-shot", "/nonexistent.mp4"], 3), (["people", "a", "--max-people=13"], 2),
        (["people", "/nonexistent.mp4"], 3), (["hands", "a", "--every=0"], 2),
        (["hands", "a", "--start=x"], 2),
        (["best-shot", "a", "--every=1"], 2),
    ]

    @Test(arguments: refused)
    func refusesWrongUsageAndUnreadableFiles(_ arguments: [String], _ status: Int32) throws {
        let result = try Subprocess.run(Tool.path, arguments, directory: Checkout.root)
        #expect(result.status == status && objects(result).isEmpty, "\(result.output)")
    }

    @Test func aClosedPipeIsNoError() throws {
        let line =
            "set -o pipefail; '\(Tool.path)' faces '\(try clip(4))' | true; '\(Tool.path)' --help | true"
        let result = try Subprocess.run("bash", ["-c", line])
        #expect(result.status == 0 && result.output.isEmpty, "\(result.output)")
    }

    @Test func aFullDiskIsAnError() throws {
        let line = "'\(Tool.path)' faces '\(Checkout.astronaut.path)' >/dev/full"
        let result = try Subprocess.run("bash", ["-c", line])
        #expect(result.status == 4, "\(result.output)")
    }
}
