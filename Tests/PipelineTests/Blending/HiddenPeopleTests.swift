import CGStreamer
import TestSupport
import Testing

/// Metadata about people whom the frames do not show.
struct HiddenPeopleTests {
    private let frame: Frame

    init() throws {
        frame = try Frame(caps("RGB", 32, 8))
        // The plugin registers the names of its metadata.
        _ = try Harness("blendmask", caps: frame.caps)
        for name in ElementCase.lists + ["GstPeopleDepth"] {
            try HandMadeMask(named: name, ["frame-width": .int(32)]).attach(to: frame)
        }
        for kind in ["person", "face", "car"] {
            gst_buffer_add_video_region_of_interest_meta(frame.buffer, kind, 8, 0, 8, 8)
        }
    }

    /// People with the ids 4 and 7, side by side.
    private var mask: HandMadeMask {
        let labels = (0..<256).map { UInt8($0 % 32 / 8) }
        let people = [4, 7].enumerated().map { index, id -> [String: HandMadeMask.Value] in
            [
                "id": .int(id), "label": .int(index + 1), "x": .double(Double(index + 1) / 4),
                "y": .double(0),
                "width": .double(0.25), "height": .double(1), "confidence": .double(0.9),
                "mask": .bytes(labels.map { Int($0) == index + 1 ? UInt8(255) : 0 }),
            ]
        }
        return HandMadeMask(width: 32, height: 8) { x, _ in x < 8 ? 0 : 255 }
            .with("labels", .bytes(labels)).with("instances", .list(people))
    }

    private func blended(_ properties: String, _ mask: HandMadeMask?) throws -> Frame {
        let carrying = frame.duplicate()
        try mask?.attach(to: carrying)
        return try Harness("blendmask \(properties)", caps: frame.caps).transform(carrying)
    }

    private func hasLists(_ frame: Frame) -> Bool { countsOfLists(frame).allSatisfy { $0 == 1 } }
    private func hasNoList(_ frame: Frame) -> Bool { countsOfLists(frame).allSatisfy { $0 == 0 } }

    private func countsOfLists(_ frame: Frame) -> [Int] {
        ElementCase.lists.map { frame.count(ofMeta: $0) }
    }

    @Test(arguments: [
        ("instances=4", [4]), ("instances-except=4", [7]), ("instances=4,7", [4, 7]), ("instances=5", []),
        ("instances-at=0.4,0.5", [4]), ("invert=true instances=4", [7]),
        ("invert=true instances-except=4", [4]), ("invert=true instances=5", []),
        ("show=mask instances=4", [4]),
    ])
    func regionsDescribeOnlyShownPeople(_ properties: String, _ shown: [Int]) throws {
        let result = try blended(properties, mask)
        let regions = Region.all(of: result)
        #expect(regions.map(\.id) == shown)
        #expect(regions.allSatisfy { $0.kind == "person" && $0.box == [$0.id == 4 ? 8 : 16, 0, 8, 8] })
        #expect(hasNoList(result) && MaskMeta(result) == nil)
        #expect(result.count(ofMeta: "GstPeopleDepth") == 0)
    }

    /// Faces, bodies and hands of people who are shown stay, in all lists; those of unknown people are
    /// removed.
    @Test(arguments: [
        ("instances=4", [4]), ("instances-except=4", [7]), ("instances=4,7", [4, 7]), ("instances=5", []),
        ("instances-at=0.4,0.5", [4]), ("invert=true instances=4", [7]),
    ])
    func entriesOfShownPeopleStay(_ properties: String, _ shown: [Int]) throws {
        let carrying = try Frame(frame.caps)
        let entries = [4, 7, -1].enumerated().map { index, person -> [String: HandMadeMask.Value] in
            ["id": .int(index + 20), "person": .int(person), "x": .double(Double(index) / 4)]
        }
        for (name, list) in ElementCase.lists.map({ ($0, Self.field(of: $0)) }) {
            try HandMadeMask(named: name, [list: .list(entries + [["id": .int(30)]])]).attach(to: carrying)
        }
        try mask.attach(to: carrying)
        let result = try Harness("blendmask \(properties)", caps: frame.caps).transform(carrying)
        for list in [PeopleParts.List.bodies, .faces, .hands] {
            #expect(PeopleParts(result, list).people == shown, "\(list)")
        }
    }

    /// Returns the list in metadata called `name`: `faces` in `GstPeopleFaces`.
    private static func field(of name: String) -> String { name.dropFirst("GstPeople".count).lowercased() }

    /// The lists stay, because figures may be drawn in place of all people; descriptions for other programs
    /// are removed.
    @Test func listsStayWhenEverybodyIsHidden() throws {
        for (properties, mask) in [("invert=true", mask), ("", nil), ("blur=40", nil)] {
            let result = try blended(properties, mask)
            #expect(Region.all(of: result).isEmpty && result.count(ofMeta: "GstPeopleDepth") == 0)
            #expect(hasLists(result))
        }
    }

    @Test(arguments: [
        ("", true), ("background-source=original blur=40", true), ("instances-at=0.1,0.5", true),
        ("no-mask=pass", false), ("instances=4 no-mask=pass", false),
    ])
    func regionsAndListsStayWhenNobodyIsHidden(_ properties: String, _ hasMask: Bool) throws {
        let result = try blended(properties, hasMask ? mask : nil)
        #expect(Region.all(of: result) == Region.all(of: frame))
        #expect(hasLists(result) && result.count(ofMeta: "GstPeopleDepth") == 1)
        #expect(MaskMeta(result) == nil)
    }

    @Test(arguments: ["instances=4", "invert=true"])
    func keepMaskKeepsAllMetadata(_ properties: String) throws {
        let result = try blended("keep-mask=true \(properties)", mask)
        #expect(Region.all(of: result) == Region.all(of: frame))
        #expect(hasLists(result) && MaskMeta(result) != nil)
    }

    @Test func nothingStaysOnAConvertedFrame() throws {
        let carrying = frame.duplicate()
        try mask.attach(to: carrying)
        let harness = try Harness(
            "blendmask instances=7", caps: frame.caps, downstream: "video/x-raw,format=AYUV")
        let result = try harness.transform(carrying)
        #expect(Region.all(of: result).map(\.id) == [7] && hasNoList(result))
    }

    @Test(.enabled(if: Analytics.isThere, "GStreamer has the library from 1.24 on"))
    func theAnalyticsLibrarysMetadataGoToo() throws {
        let clip = try Frame.picture(Checkout.clip.path, "video/x-raw,format=RGB")
        let analysis = "personsegment quality=fast instance-masks=true ! facepose"
        for (properties, people, rest) in [
            ("", 3, true), ("invert=true", 0, false), ("instances-at=0.42,0.7", 1, false),
        ] {
            let frame = try Harness("\(analysis) ! blendmask \(properties)", caps: clip.caps).transform(clip)
            #expect(Region.all(of: frame).filter { $0.kind == "person" }.count == people)
            let count = try Analytics.count(on: frame)
            #expect(rest ? try #require(count) > 6 : count == (people > 0 ? 2 * people : nil))
            if !rest, people > 0 { #expect(try Analytics.count(of: "segmentation", on: frame) == 0) }
        }
    }
}
