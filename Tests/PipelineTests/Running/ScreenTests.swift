import Foundation
import TestSupport
import Testing

/// The README's first pipeline, on a screen; a still of the clip replaces the camera.
@Suite(.serialized)
struct ScreenTests {
    /// Sinks that `autovideosink` may not choose.
    static let refused = [
        // Mesa and xvimagesink accept the camera's YUY2.
        "",
        // Only ximagesink is left, which accepts BGRx.
        "glimagesink:NONE,xvimagesink:NONE,vulkansink:NONE,waylandsink:NONE",
    ]

    @Test(arguments: refused)
    func showsTheForestBehindThePeople(_ refused: String) throws {
        guard let server = try XServer(width: 1280, height: 800) else {
            throw SetupFailure("Xvfb does not start")
        }
        let source =
            "filesrc location=\(Checkout.clip.path) ! decodebin ! imagefreeze is-live=true ! videoconvert"
        let line =
            "\(source) ! video/x-raw,format=YUY2 ! "
            + "personsegment quality=fast ! blendmask background=forest.jpg ! autovideosink"
        let program = try RunningProcess(
            "gst-launch-1.0", ["-q"] + line.split(separator: " ").map(String.init),
            environment: [
                "DISPLAY": server.display, "WAYLAND_DISPLAY": nil, "GST_PLUGIN_FEATURE_RANK": refused,
            ], directory: Checkout.root)
        let input = try Scene(of: Frame.first(of: source, caps: Scene.caps))
        let shown = try waitForImage(on: server, program)
        try compare(shown, input)
        program.interrupt()
        let end = program.finish()
        #expect(end.status == 0, "\(end.output)")
    }

    /// Checks that the wall has become the forest, and that the people are unchanged.
    private func compare(_ shown: Scene, _ input: Scene) throws {
        let forestFile = Checkout.root.appendingPathComponent("forest.jpg").path
        let cropped =
            "filesrc location=\(forestFile) ! decodebin ! videoconvert ! aspectratiocrop aspect-ratio=3/2"
        let forest = try Scene(of: Frame.first(of: cropped, caps: Scene.caps))
        for patch in Scene.wall {
            #expect(shown.difference(from: forest, in: patch) < 8, "\(patch)")
            #expect(shown.difference(from: input, in: patch) > 40, "\(patch)")
        }
        for patch in Scene.people {
            #expect(shown.difference(from: input, in: patch) < 8, "\(patch)")
            #expect(shown.difference(from: forest, in: patch) > 40, "\(patch)")
        }
    }

    /// Returns the screen when the window is visible: the corner of the image is then no longer black.
    private func waitForImage(on server: XServer, _ program: RunningProcess) throws -> Scene {
        var shown = try Scene(of: server.screenshot())
        let isUp = try program.wait {
            shown = try Scene(of: server.screenshot())
            return Scene.wall.allSatisfy { shown.mean(in: $0) > 5 }
        }
        guard isUp else { throw SetupFailure("nothing was shown: \(program.output)") }
        return shown
    }
}

/// The clip's first frame, 1080x720, and the patches of it that the test compares.
private struct Scene {
    static let caps = "video/x-raw,format=RGB,width=1080,height=720"

    struct Patch: CustomStringConvertible {
        let columns: Range<Int>
        let rows: Range<Int>
        let description: String
    }

    static let wall = [
        Patch(columns: 240..<380, rows: 20..<120, description: "wall between the first two people"),
        Patch(columns: 600..<700, rows: 100..<220, description: "wall between the last two people"),
        Patch(columns: 960..<1070, rows: 100..<260, description: "wall on the right"),
    ]
    static let people = [
        Patch(columns: 120..<180, rows: 120..<220, description: "first face"),
        Patch(columns: 430..<490, rows: 190..<280, description: "second face"),
        Patch(columns: 760..<840, rows: 140..<230, description: "third face"),
        Patch(columns: 800..<920, rows: 420..<600, description: "suit"),
    ]

    private let components: [Frame.Samples]

    init(of frame: Frame?) throws {
        guard let frame, frame.width >= 1080, frame.height >= 720 else { throw SetupFailure("no picture") }
        components = (0..<3).map { frame.samples($0) }
    }

    /// Returns the mean absolute difference of the code values.
    func difference(from other: Scene, in patch: Patch) -> Double {
        mean(in: patch) { abs(Int(components[$0][$2][$1]) - Int(other.components[$0][$2][$1])) }
    }

    /// Returns the mean code value.
    func mean(in patch: Patch) -> Double { mean(in: patch) { Int(components[$0][$2][$1]) } }

    private func mean(in patch: Patch, _ value: (Int, Int, Int) -> Int) -> Double {
        var sum = 0
        for index in 0..<3 {
            for y in patch.rows { for x in patch.columns { sum += value(index, x, y) } }
        }
        return Double(sum) / Double(3 * patch.rows.count * patch.columns.count)
    }
}
