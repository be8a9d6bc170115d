import CGStreamer
import Foundation
import TestSupport
import Testing

/// `gst-people video --keep-at`: one of a video's people.
struct KeepAtTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// Whether each of the three people's chests is shown, in the first and in the last frame.
    private func shown(_ input: String) throws -> [[Bool]] {
        let pipeline = try Pipeline(
            "filesrc location=\(input) ! decodebin ! videoconvert ! video/x-raw,format=RGB ! appsink name=sink sync=false"
        )
        pipeline.set(state: GST_STATE_PLAYING)
        let frames = (0..<10).compactMap { _ in pipeline.pullSample(from: "sink") }
        return try [0, 9].map { index in
            let frame = try #require(frames.indices.contains(index) ? frames[index] : nil)
            // The background is green.
            let (red, green) = (frame.samples(0)[250], frame.samples(1)[250])
            return [0.18, 0.42, 0.75].map { share in
                let x = Int(share * 540)
                return abs(Int(green[x]) - 255) > 40 || red[x] > 40
            }
        }
    }

    @Test func keepsThePersonFromThatTimeOn() throws {
        let input = try scratch.threePeople()
        let from = try Tool.make(input, scratch.path("out.mp4"), "--keep-at=0.42,0.7@0.2", "--color=00ff00")
        #expect(try shown(from) == [[false, false, false], [false, true, false]])
    }

    @Test(arguments: [
        // Nobody is at that point, or the video ends before the time.
        ("0.98,0.1@0", Int32(1)), ("0.42,0.7@5", 1),
        // The value has no point or no valid time.
        ("0.42@5", 2), ("0.42,0.7@-1", 2),
    ])
    func withoutThePersonThereIsNoVideo(_ value: String, _ status: Int32) throws {
        let input = try scratch.threePeople()
        let result = try Tool.run(input, scratch.path("out.mp4"), "--keep-at", value)
        #expect(result.status == status, "\(result.output)")
        #expect(scratch.names == ["in.mp4"])
    }
}
