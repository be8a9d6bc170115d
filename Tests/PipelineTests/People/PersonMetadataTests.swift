import TestSupport
import Testing

/// The owners of parts in the metadata of elements in one pipeline.
struct PersonMetadataTests {
    private static let masks = "personsegment quality=fast instance-masks=true"

    /// Returns three people side by side, each with a face and a body.
    private static func clip() throws -> Frame {
        let clip = try Frame.picture(Checkout.clip.path, "video/x-raw,format=RGB")
        clip.time = 0
        return clip
    }

    /// These are not arguments of the test, since Swift 6.0.3 of Debian 13 cannot compile interpolated
    /// strings there.
    private static let lines = [
        "\(masks) ! bodypose ! facepose ! handpose", "handpose ! facepose ! bodypose ! \(masks)",
        "facepose ! bodypose ! handpose ! \(masks)",
        "handpose ! \(masks) ! videoconvert ! facepose ! bodypose",
        "facepose ! \(masks)", "bodypose ! facepose", "facepose ! bodypose",
    ]

    @Test(arguments: lines)
    func partsHaveTheIdsOfTheFirstElementsPeople(_ line: String) throws {
        let clip = try Self.clip()
        let frame = try Harness(line, caps: clip.caps).transform(clip)
        let lists = Dictionary(
            uniqueKeysWithValues: PeopleParts.List.allCases.map { ($0, PeopleParts(frame, $0)) })
        let elements = line.split(separator: " ")
        let first = elements.first { $0 == "personsegment" || $0 == "bodypose" }
        let source = try #require(lists[first == "bodypose" ? .bodies : .instances])
        #expect(source.parts.count == 3 && source.people == source.ids)
        // All lists have the same order from the left to the right.
        for list in [PeopleParts.List.instances, .bodies, .faces] where lists[list]?.parts.isEmpty == false {
            #expect(lists[list]?.people == source.ids, "\(list)")
        }
        for hand in lists[.hands]?.parts ?? [] { #expect(source.ids.contains(hand.person ?? -2)) }
        for person in source.parts {
            let faces = lists[.faces]?.parts.filter { $0.person == person.id }.map(\.id)
            #expect(person.faces == faces)
            #expect(person.hands?.count == lists[.hands]?.parts.filter { $0.person == person.id }.count)
        }
    }

    @Test func instancesNameTheBody() throws {
        let clip = try Self.clip()
        let frame = try Harness("\(Self.masks) ! bodypose", caps: clip.caps).transform(clip)
        #expect(PeopleParts(frame, .instances).parts.map(\.body) == PeopleParts(frame, .bodies).ids)
    }

    /// The analytics library's metadata have the same relations: people contain their faces, and are the same
    /// as their bodies.
    @Test(.enabled(if: Analytics.isThere, "GStreamer has the library from 1.24 on"))
    func relationsNameTheParts() throws {
        let (none, partOf, contain, relateTo): (Int32, Int32, Int32, Int32) = (0, 2, 4, 8)
        let clip = try Self.clip()
        for line in ["\(Self.masks) ! bodypose ! facepose", "facepose ! bodypose ! \(Self.masks)"] {
            let frame = try Harness(line, caps: clip.caps).transform(clip)
            let lists = [PeopleParts.List.instances, .bodies, .faces].map { PeopleParts(frame, $0).parts }
            // The source of the ids is the first list that was attached.
            let people = line.hasPrefix("facepose") ? lists[1] : lists[0]
            let wholes = line.hasPrefix("facepose") ? lists[0] : lists[1]
            #expect(people.count == 3 && lists[2].count == 3)
            for person in people {
                let track = try #require(person.track)
                for (parts, there, back) in [(lists[2], partOf, contain), (wholes, relateTo, relateTo)] {
                    for part in parts {
                        let other = try #require(part.track)
                        let isOwn = part.person == person.person
                        #expect(
                            try Analytics.relation(of: other, to: track, on: frame) == (isOwn ? there : none))
                        #expect(
                            try Analytics.relation(of: track, to: other, on: frame) == (isOwn ? back : none))
                    }
                }
            }
        }
    }

    @Test func facesBelongToNobodyWithoutPeople() throws {
        let clip = try Self.clip()
        for line in [
            "facepose", "personsegment quality=fast ! facepose", "subjectsegment quality=fast ! facepose",
        ] {
            let frame = try Harness(line, caps: clip.caps).transform(clip)
            let faces = PeopleParts(frame, .faces)
            #expect(faces.parts.count == 3 && faces.people.allSatisfy { $0 == nil })
        }
    }

    // MARK: - Other programs' metadata

    private static func body(_ id: Int, at x: Double) -> [String: HandMadeMask.Value] {
        let joints = [
            "nose", "left-eye", "right-eye", "left-ear", "right-ear", "neck", "left-shoulder",
            "right-shoulder",
            "left-elbow", "right-elbow", "left-wrist", "right-wrist", "root", "left-hip", "right-hip",
            "left-knee",
            "right-knee", "left-ankle", "right-ankle",
        ]
        let places = joints.map {
            ($0, HandMadeMask.Value.numbers([x, $0.hasSuffix("wrist") ? 0.6 : 0.2, 1]))
        }
        return [
            "id": .int(id), "x": .double(x - 0.1), "y": .double(0.1), "width": .double(0.2),
            "height": .double(0.8),
            "joints": .structure(Dictionary(uniqueKeysWithValues: places)),
        ]
    }

    private static func hand(_ id: Int, at x: Double) -> [String: HandMadeMask.Value] {
        var fields = body(id, at: x)
        fields["joints"] = nil
        return fields
    }

    /// Returns a grey frame through `facepose`, which finds nothing in it.
    private func frame(_ bodies: [[String: HandMadeMask.Value]], _ hands: [[String: HandMadeMask.Value]])
        throws -> Frame
    {
        let frame = try ElementCase.grayFrame()
        let harness = try Harness("facepose", caps: frame.caps)
        try HandMadeMask(named: "GstPeopleBodies", ["bodies": .list(bodies)]).attach(to: frame)
        try HandMadeMask(named: "GstPeopleHands", ["hands": .list(hands)]).attach(to: frame)
        return try harness.transform(frame)
    }

    @Test func bodiesOfOtherProgramsArePeople() throws {
        let result = try frame([Self.body(7, at: 0.3), Self.body(9, at: 0.7)], [])
        #expect(PeopleParts(result, .bodies).people == [7, 9])
        #expect(PeopleParts(result, .bodies).parts.allSatisfy { $0.faces == [] && $0.hands == [] })
    }

    @Test func partsWithoutAPlaceBelongToNobody() throws {
        var nameless = Self.body(1, at: 0.5)
        nameless["id"] = nil
        let result = try frame(
            [Self.body(7, at: 0.3), nameless], [Self.hand(2, at: 0.3), ["id": .text("3")], [:]])
        #expect(Set(PeopleParts(result, .bodies).people) == [7, -1])
        #expect(PeopleParts(result, .hands).people == [-1, -1, -1])
    }
}
