import Foundation
import TestSupport
import Testing

/// `gst-people video --reframe`: two scenes, a person on the left and then a ball on the right, in an upright shape.
struct ReframeTests {
    private let scratch: Scratch

    private let input: String

    init() throws {
        scratch = try Scratch()
        input = try Self.clip(in: scratch)
    }

    private static let size = caps("I420", 640, 360)
    private static let frames = 25

    /// Returns a video of 25 frames with the portrait on the left, and 25 with a ball at 0.84 of the width.
    private static func clip(in scratch: Scratch) throws -> String {
        func wall(_ name: String, _ color: String) -> String {
            "videotestsrc pattern=solid-color foreground-color=\(color) num-buffers=\(frames) ! \(size) ! \(name).sink_0"
        }
        return try scratch.clip(
            "in.mp4",
            "\(wall("a", "0xff808080")) filesrc location=\(Checkout.astronaut.path) ! pngdec "
                + "! imagefreeze num-buffers=\(frames) ! videoconvert ! videoscale ! \(caps("I420", 360, 360)) ! a.sink_1 "
                + "compositor name=a ! \(size) ! c. \(wall("b", "0xffe8e8e8")) "
                + "videotestsrc pattern=ball foreground-color=0xffff8000 background-color=0xffe8e8e8 "
                + "num-buffers=1 ! video/x-raw,width=120,height=120 ! imagefreeze num-buffers=\(frames) ! videoconvert "
                + "! \(caps("I420", 120, 120)) ! b.sink_1 "
                + "compositor name=b sink_1::xpos=480 sink_1::ypos=120 ! \(size) ! c. "
                + "concat name=c ! videoconvert ! x264enc speed-preset=ultrafast ! mp4mux")
    }

    private func run(_ output: String, _ options: [String]) throws -> Subprocess {
        try Subprocess.run(Tool.path, ["video", input, scratch.path(output), "--quality=fast"] + options)
    }

    private struct Part {
        let x, y, width, height: Double
        let isCut: Bool
    }

    private func plan(_ path: String) throws -> [Part] {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let document = try JSONSerialization.jsonObject(with: bytes) as? [String: Any]
        return try #require(document?["frames"] as? [[String: Any]]).map { frame in
            let numbers = try ["x", "y", "width", "height"].map { try #require(frame[$0] as? Double) }
            return Part(
                x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3],
                isCut: frame["cut"] as? Bool ?? false)
        }
    }

    @Test func scenesAreFramedAndDrawn() throws {
        let (planned, sheet) = (scratch.path("plan.json"), scratch.path("sheet.png"))
        let result = try run("out.mp4", ["--reframe=9:16", "--save-plan=\(planned)", "--sheet=\(sheet)"])
        #expect(result.status == 0, "\(result.output)")
        let parts = try plan(planned)
        #expect(parts.count == 2 * Self.frames)
        #expect(parts.indices.filter { parts[$0].isCut } == [Self.frames])
        // The portrait's head lies around 0.24 of the width, and the ball around 0.84.
        for part in parts.prefix(Self.frames) { #expect(part.x < 0.18 && part.x + part.width > 0.3) }
        for part in parts.suffix(Self.frames) { #expect(part.x > 0.6 && part.x + part.width > 0.9) }
        let drawn = try Frame.picture(sheet, "video/x-raw,format=RGB")
        #expect(drawn.width == 4 * 328 + 8 && drawn.height == 2 * 188 + 8)
        let colours = (0..<3).map { drawn.samples($0) }
        func isOutline(_ x: Int, _ y: Int) -> Bool {
            colours[0][y][x] > 240 && (200..<240).contains(colours[1][y][x]) && colours[2][y][x] < 40
        }
        for (row, part) in [parts[0], parts[Self.frames]].enumerated() {
            for column in 0..<4 {
                let (left, top) = (8 + 328 * column, 8 + 188 * row)
                let outlined = (0..<320).filter { x in
                    (60..<120).allSatisfy { isOutline(left + x, top + $0) }
                }
                let (first, last) = (try #require(outlined.first), try #require(outlined.last))
                #expect(abs(Double(first) / 320 - part.x) < 0.01, "\(row) \(column)")
                #expect(abs(Double(last + 1) / 320 - part.x - part.width) < 0.01, "\(row) \(column)")
                // The wall beside the part, at 0.64 of the width, is dark.
                #expect(colours[0][top + 90][left + 190] < 90)
            }
        }
        // A plan has all that its picture shows.
        let again = scratch.path("again.png")
        let repeated = try run("again.mp4", ["--reframe=9:16", "--from-plan=\(planned)", "--sheet=\(again)"])
        #expect(repeated.status == 0, "\(repeated.output)")
        #expect(
            try Data(contentsOf: URL(fileURLWithPath: again))
                == Data(contentsOf: URL(fileURLWithPath: sheet)))
    }

    @Test func aSheetNeedsAPlan() throws {
        let result = try run("out.mp4", ["--sheet=\(scratch.path("sheet.png"))"])
        #expect(result.status == 2, "\(result.output)")
        let unwritable = try run("out.mp4", ["--reframe=1:1", "--sheet=/proc/nowhere/sheet.png"])
        #expect(unwritable.status == 4, "\(unwritable.output)")
    }
}
