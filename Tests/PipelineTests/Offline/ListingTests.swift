import Foundation
import TestSupport
import Testing

/// `gst-people faces`, `bodies`, `hands` and `people`: a line of JSON per frame.
struct ListingTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// Frames of the portrait at 25 frames per second, stored out of order.
    private func clip(_ frames: Int) throws -> String {
        try scratch.clip(
            "clip.mp4",
            "filesrc location=\(Checkout.astronaut.path) ! pngdec ! imagefreeze num-buffers=\(frames) ! videoconvert "
                + "! \(caps("I420", 512, 512)) ! x264enc speed-preset=ultrafast bframes=2 b-adapt=false ! mp4mux"
        )
    }

    /// The lines that the tool prints for a clip: the first one has the units, and times are as players show them.
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
            #expect(face["id"] as? Int == 0 && face["quality"] is Double && face["mesh"] == nil)
            let landmarks = try #require(face["landmarks"] as? [String: [[Double]]])
            #expect(landmarks["nose"]?.count == 8 && landmarks["left-pupil"]?.first?.count == 3)
        }
    }

    @Test func bodiesOfAnImage() throws {
        let result = try Subprocess.run(Tool.path, ["bodies", Checkout.astronaut.path, "--pose-3d"])
        #expect(result.status == 0, "\(result.output)")
        let body = try #require((objects(result).first?["bodies"] as? [[String: Any]])?.first)
        #expect(body["upper-body-only"] as? Bool == true && body["body-height"] is Double)
        let joints = try #require(body["joints"] as? [String: [Double]])
        #expect(joints.count == 19 && joints["nose"]?.count == 3)
        #expect((body["joints-3d"] as? [String: [Double]])?.count == 17)
    }

    @Test func handsOfAnImage() throws {
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
            // The person, who holds nothing into the image, says whose parts these are.
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

    private static let refused: [([String], Int32)] = [
        (["faces"], 2), (["faces", "a", "b"], 2), (["bodies", "a", "--max-people=0"], 2),
        (["bodies", "/nonexistent.mp4"], 3), (["faces", "README.md"], 3),
        (["best-shot", "/nonexistent.mp4"], 3), (["people", "a", "--max-people=13"], 2),
        (["people", "/nonexistent.mp4"], 3),
    ]

    @Test(arguments: refused)
    func refusesWrongUsageAndUnreadableFiles(_ arguments: [String], _ status: Int32) throws {
        let result = try Subprocess.run(Tool.path, arguments, directory: Checkout.root)
        #expect(result.status == status && objects(result).isEmpty, "\(result.output)")
    }

    @Test func readersMayLeave() throws {
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
