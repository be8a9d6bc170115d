import CGStreamer
import Foundation
import TestSupport
import Testing

/// poseoverlay: its drawings of the frames' metadata.
struct PoseOverlayTests {
    private typealias Value = HandMadeMask.Value

    /// The lines and points are the same as in the analysers' own drawings.
    @Test(arguments: [
        ("bodypose", "draw=all", "bodies=all"), ("handpose max-hands=4", "draw=skeleton", ""),
        ("facepose landmarks=true", "draw=all", "faces=all"),
    ])
    func drawsWhatTheAnalysersDraw(_ analyzer: String, _ own: String, _ overlay: String) throws {
        let clip = try Frame.picture(Checkout.clip.path, "video/x-raw,format=I420")
        let drawn = try Harness("\(analyzer) \(own)", caps: clip.caps).transform(clip)
        let carrying = try Harness(analyzer, caps: clip.caps).transform(clip)
        let result = try Harness("poseoverlay \(overlay)", caps: clip.caps).transform(carrying)
        #expect(result.hasSameSamples(as: drawn) && !result.hasSameSamples(as: clip))
    }

    /// A stick figure replaces the person: only drawings are left of the frame, even at soft edges of lines.
    @Test(arguments: ["I420", "RGB", "RGBA", "AYUV"], ["color", "transparent"])
    func nothingOfACoveredFrameShows(_ format: String, _ source: String) throws {
        let pictures = try [0, 1].map { number in
            let frame = try Frame(caps(format, 64, 48))
            frame.fillBytes(with: UInt8(60 + 130 * number))
            try Self.person(at: 0.3).attach(to: frame)
            // Without a mask nothing of the frame may be visible.
            let covered = try Harness("blendmask background-source=\(source)", caps: frame.caps).transform(
                frame)
            return try Harness("poseoverlay bodies=all", caps: covered.caps).transform(covered)
        }
        let alpha = pictures[0].format == "RGBA" ? 3 : pictures[0].format == "AYUV" ? 3 : nil
        var drawn = 0
        for component in 0..<pictures[0].colorCount {
            let (one, other) = (pictures[0].samples(component), pictures[1].samples(component))
            for y in one.indices {
                for x in one[y].indices {
                    if let alpha, pictures[0].samples(alpha)[y][x] == 0 { continue }
                    #expect(one[y][x] == other[y][x], "\(format), \(component) at \(x), \(y)")
                }
            }
            drawn = max(drawn, Set(one.joined()).count)
        }
        #expect(drawn > 3)
    }

    @Test func drawsInTheKindThatIsAskedFor() throws {
        let frame = try Frame(caps("RGB", 64, 48))
        try Self.person(at: 0.3).attach(to: frame)
        let harness = try Harness("poseoverlay", caps: frame.caps)
        let skeleton = try harness.transform(frame)
        for (bodies, isDrawn) in [("none", false), ("boxes", true), ("all", true)] {
            harness.set("bodies", bodies)
            let result = try harness.transform(frame)
            #expect(!result.hasSameSamples(as: skeleton))
            #expect(!result.hasSameSamples(as: frame) == isDrawn)
        }
        for property in PropertyDescription.all(of: "poseoverlay") { harness.set(property.name, "none") }
        #expect(harness.push(shared: frame) == GST_FLOW_OK)
        #expect(try #require(harness.pull()).memory == frame.memory, "nothing is drawn, nothing is copied")
    }

    @Test func drawsOnlyTheChosenPeople() throws {
        let empty = try Frame(caps("RGB", 64, 48))
        let (left, right) = (Self.entry(at: 0.2, person: 4), Self.entry(at: 0.6, person: 7))
        let stranger = Self.entry(at: 0.4, person: -1)
        let all = empty.duplicate()
        try Self.bodies([left, right, stranger]).attach(to: all)
        let harness = try Harness("poseoverlay bodies=all", caps: empty.caps)
        for (people, entries) in [
            ("4", [left]), ("7", [right]), ("4, 7", [left, right]), ("5", []), ("", [left, right, stranger]),
        ] {
            let wanted = empty.duplicate()
            try Self.bodies(entries).attach(to: wanted)
            harness.set("people", "")
            let drawn = try harness.transform(wanted)
            #expect(drawn.hasSameSamples(as: empty) == entries.isEmpty)
            harness.set("people", people)
            #expect(try harness.transform(all).hasSameSamples(as: drawn), "\(people)")
        }
        // A malformed value is reported once, and the previous ids stay.
        let chosen = try transformed(all, harness, people: "4")
        #expect(harness.messages() == [])
        let malformed = try transformed(all, harness, people: "4,x")
        #expect(malformed.hasSameSamples(as: chosen))
        #expect(try harness.transform(all).hasSameSamples(as: chosen))
        #expect(harness.messages().count == 1)
    }

    private func transformed(_ frame: Frame, _ harness: Harness, people: String) throws -> Frame {
        harness.set("people", people)
        return try harness.transform(frame)
    }

    @Test func drawsNothingForMalformedMetadata() throws {
        let frame = try Frame(caps("RGB", 64, 48))
        let empty = frame.duplicate()
        for number in [Double.nan, .infinity, -1e300, 1e18] {
            try Self.person(at: number).attach(to: frame)
        }
        try HandMadeMask(named: "GstPeopleHands", ["hands": .int(3)]).attach(to: frame)
        try HandMadeMask(named: "GstPeopleFaces", ["faces": .list([["x": .text("left")], [:]])]).attach(
            to: frame)
        let harness = try Harness("poseoverlay bodies=all hands=all faces=all", caps: frame.caps)
        #expect(try harness.transform(frame).hasSameSamples(as: empty))
        #expect(harness.messages() == [])
    }

    /// Returns a body with nose, neck and root above one another, and a box.
    private static func person(at x: Double) -> HandMadeMask { bodies([entry(at: x)]) }

    private static func bodies(_ entries: [[String: Value]]) -> HandMadeMask {
        HandMadeMask(named: "GstPeopleBodies", ["bodies": .list(entries)])
    }

    /// Makes an entry of a body.
    ///
    /// - Parameter person: person that the body belongs to; nil leaves the field out.
    private static func entry(at x: Double, person: Int? = nil) -> [String: Value] {
        let joints: [String: Value] = [
            "nose": .numbers([x, 0.2, 1]), "neck": .numbers([x, 0.4, 1]),
            "root": .numbers([x + 0.1, 0.8, 0.9]),
            "left-hip": .numbers([0.9]), "left-knee": .text("bent"), "left-wrist": .numbers([0.8, 0.5, 0.1]),
        ]
        var entry: [String: Value] = [
            "x": .double(x), "y": .double(0.1), "width": .double(0.4), "height": .double(0.8),
            "joints": .structure(joints),
        ]
        if let person { entry["person"] = .int(person) }
        return entry
    }
}
