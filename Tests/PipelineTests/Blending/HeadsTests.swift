import CGStreamer
import TestSupport
import Testing

/// The heads that `heads` hides.
struct HeadsTests {
    private static let line = "blendmask background-source=original background-color=0xff00ff00"
    /// The grey of the frame; squares and blur keep it, the colour does not.
    private static let shown: UInt8 = 99
    private let frame: Frame

    init() throws {
        frame = try Frame(caps("RGB", 64, 48))
        frame.fillBytes(with: Self.shown)
    }

    // MARK: - People

    /// A person of the frame: a column of the mask from top to bottom.
    private struct Person {
        let id: Int
        let columns: Range<Int>
        /// The column of the middle of the face, whose head has a radius of 7 pixels; nil where no face is found.
        var face: Int?

        /// Two people side by side.
        static let four = Person(id: 4, columns: 8..<28, face: 18)
        static let seven = Person(id: 7, columns: 36..<56, face: 46)

        func with(face: Int?) -> Person { Person(id: id, columns: columns, face: face) }
        func with(id: Int) -> Person { Person(id: id, columns: columns, face: face) }
    }

    /// Attaches masks and faces to a copy of the frame.
    private func carrying(_ people: [Person], strangers: [Int] = [], at time: UInt64 = 0) throws -> Frame {
        let copy = frame.duplicate()
        copy.time = time
        let value = { (person: Person, index: Int) in person.columns.contains(index % 64) }
        let labels = (0..<(64 * 48)).map { place in
            UInt8((people.firstIndex { value($0, place) } ?? -1) + 1)
        }
        let instances = people.enumerated().map { index, person -> [String: HandMadeMask.Value] in
            [
                "id": .int(person.id), "label": .int(index + 1),
                "mask": .bytes((0..<(64 * 48)).map { value(person, $0) ? 255 : 0 }),
            ]
        }
        try HandMadeMask(width: 64, height: 48) { x, _ in people.contains { $0.columns.contains(x) } ? 255 : 0
        }
        .with("labels", .bytes(labels)).with("instances", .list(instances)).attach(to: copy)
        let known = people.compactMap { person in person.face.map { (person.id, $0) } }
        let faces = (known + strangers.map { (-1, $0) }).enumerated().map { index, face in
            Self.face(index, of: face.0, at: face.1)
        }
        try HandMadeMask(named: "GstPeopleFaces", ["faces": .list(faces)]).attach(to: copy)
        return copy
    }

    private static func face(_ id: Int, of person: Int, at column: Int) -> [String: HandMadeMask.Value] {
        [
            "id": .int(id), "person": .int(person), "x": .double(Double(column - 4) / 64),
            "y": .double(6.0 / 48), "width": .double(8.0 / 64), "height": .double(8.0 / 48),
        ]
    }

    /// Whether heads and chests of both places, and the wall beside them, are hidden.
    private func hidden(_ frame: Frame) -> [Bool] {
        [(18, 10), (18, 40), (46, 10), (46, 40), (61, 40)].map { x, y in
            (0..<3).map { frame.samples($0)[y][x] } == [0, 255, 0]
        }
    }

    private func hidden(_ properties: String, _ people: [Person], strangers: [Int] = []) throws -> [Bool] {
        let harness = try Harness("\(Self.line) heads=cover \(properties)", caps: frame.caps)
        return hidden(try harness.transform(carrying(people, strangers: strangers)))
    }

    private static let heads = [true, false, true, false, false]

    // MARK: - Choice

    @Test(arguments: [
        ("", heads), ("heads-of=4", [true, false, false, false, false]), ("heads-of=4,7", heads),
        ("heads-except=4", [false, false, true, false, false]), ("heads-except=5", heads),
        ("heads-of=4,7 heads-except=7", [true, false, false, false, false]),
        ("heads-at=0.3,0.5", [true, false, false, false, false]), ("heads-at=0.98,0.5", heads),
        ("heads-at=0.3,0.5 heads-of=7", heads),
        // A chosen person who is not there may be anybody who is.
        ("heads-of=5", heads), ("heads-of=4,5", heads),
    ])
    func hidesTheHeadsOfTheChosenPeople(_ properties: String, _ expected: [Bool]) throws {
        #expect(try hidden(properties, [.four, .seven]) == expected)
    }

    @Test func showsEverythingByDefault() throws {
        let harness = try Harness(Self.line, caps: frame.caps)
        #expect(
            hidden(try harness.transform(carrying([.four, .seven]))) == [false, false, false, false, false])
    }

    /// Faces of unknown people are hidden whoever is chosen.
    @Test(arguments: ["heads-of=4", "heads-except=7"])
    func hidesTheHeadsOfStrangers(_ properties: String) throws {
        #expect(try hidden(properties, [.four], strangers: [46]) == Self.heads)
    }

    /// Who has been in a frame with a chosen person is not that person under another id.
    @Test func aLostPersonMayBeBackUnderAnotherId() throws {
        let harness = try Harness("\(Self.line) heads=cover heads-of=4", caps: frame.caps)
        let shown = try [[Person.four, .seven], [.seven], [.four.with(id: 9), .seven]].enumerated().map {
            hidden(try harness.transform(carrying($1, at: UInt64($0) * 10_000_000_000)))
        }
        #expect(shown[0] == [true, false, false, false, false])
        #expect(shown[1] == [false, false, false, false, false])
        #expect(shown[2] == [true, false, false, false, false])
    }

    @Test(arguments: ["heads-of=x", "heads-of=1,,2", "heads-at=0.5", "heads-at=2,0", "heads-except=-1"])
    func refusesMalformedLists(_ property: String) throws {
        let words = property.split(separator: "=").map(String.init)
        let bare = try BareElement("blendmask", [(words[0], words[1])])
        #expect(!bare.enter(GST_STATE_PAUSED))
        #expect(
            bare.message.map { $0.is(.error, gst_library_error_quark(), GST_LIBRARY_ERROR_SETTINGS.rawValue) }
                == true)
        #expect(bare.dispose())
    }

    // MARK: - Nothing is shown by accident

    /// Everything of a person is hidden whose head is not found.
    @Test func hidesAllOfAPersonWithoutAHead() throws {
        #expect(try hidden("", [.four.with(face: nil), .seven]) == [true, true, true, false, false])
        // The face is found where the person is not.
        #expect(try hidden("", [.four.with(face: 46), .seven]) == [true, true, true, false, false])
        #expect(
            try hidden("heads-of=7", [.four.with(face: nil), .seven]) == [false, false, true, false, false])
    }

    /// People without a mask of their own are hidden wholly.
    @Test(arguments: ["", "heads-of=4", "heads-except=4", "heads-at=0.3,0.5"])
    func hidesAllPeopleWithoutInstances(_ properties: String) throws {
        let harness = try Harness("\(Self.line) heads=cover \(properties)", caps: frame.caps)
        let copy = frame.duplicate()
        try HandMadeMask(width: 64, height: 48) { x, _ in
            (8..<28).contains(x) || (36..<56).contains(x) ? 255 : 0
        }
        .attach(to: copy)
        #expect(hidden(try harness.transform(copy)) == [true, true, true, true, false])
    }

    @Test(arguments: ["", "no-mask=pass", "heads-except=4", "heads-except=4 no-mask=pass"])
    func coversFramesWithoutAMask(_ properties: String) throws {
        let harness = try Harness("\(Self.line) heads=cover \(properties)", caps: frame.caps)
        #expect(hidden(try harness.transform(frame)).allSatisfy { $0 })
        let stale = frame.duplicate()
        try HandMadeMask(width: 64, height: 48) { _, _ in 0 }.with("age", .time(1_000_000_000)).attach(
            to: stale)
        #expect(hidden(try harness.transform(stale)).allSatisfy { $0 })
    }

    /// A value that is no number may be a person.
    @Test func hidesUndefinedValues() throws {
        let harness = try Harness("\(Self.line) heads=cover", caps: frame.caps)
        let copy = frame.duplicate()
        try HandMadeMask(floats: 64, height: 48) { x, _ in (36..<56).contains(x) ? .nan : 0 }.attach(to: copy)
        #expect(hidden(try harness.transform(copy)) == [false, false, true, true, false])
    }

    /// A head that is lost stays hidden for half a second where it was.
    @Test func aLostHeadStaysHiddenForAWhile() throws {
        let harness = try Harness("\(Self.line) heads=cover", caps: frame.caps)
        #expect(hidden(try harness.transform(carrying([.four, .seven]))) == Self.heads)
        #expect(hidden(try harness.transform(carrying([.seven], at: 400_000_000))) == Self.heads)
        #expect(
            hidden(try harness.transform(carrying([.seven], at: 600_000_000)))
                == [false, false, true, false, false])
    }

    /// Bodies that another program's crop or scale has left on the frame tell nothing about it.
    @Test func ignoresFacesOfAnotherImage() throws {
        let harness = try Harness("\(Self.line) heads=cover", caps: frame.caps)
        let copy = try carrying([.four.with(face: nil)])
        try HandMadeMask(
            named: "GstPeopleFaces",
            [
                "frame-width": .int(64), "frame-height": .int(64),
                "faces": .list([Self.face(0, of: 4, at: 18)]),
            ]
        ).attach(to: copy)
        #expect(hidden(try harness.transform(copy)) == [true, true, false, false, false])
    }

    // MARK: - Ways of hiding

    /// Details of heads are lost in every format, and nothing else is changed.
    @Test(arguments: ["I420", "NV12", "YUY2", "RGBA", "BGRx", "GRAY8", "I420_10LE", "A420", "ARGB64"])
    func blurAndSquaresKeepNoDetails(_ format: String) throws {
        let source = try Pipeline(
            "videotestsrc num-buffers=1 pattern=snow ! \(caps(format, 64, 48)) ! appsink name=sink sync=false"
        )
        source.set(state: GST_STATE_PLAYING)
        let noise = try #require(source.pullSample(from: "sink"))
        for heads in ["blur", "pixelate", "cover"] {
            let harness = try Harness("blendmask background-source=original heads=\(heads)", caps: noise.caps)
            let copy = noise.duplicate()
            try HandMadeMask(named: "GstPeopleFaces", ["faces": .list([Self.face(0, of: 4, at: 18)])]).attach(
                to: copy)
            try HandMadeMask(width: 64, height: 48) { _, _ in 0 }.attach(to: copy)
            let (before, after) = (noise.samples(0), try harness.transform(copy).samples(0))
            let middle = (8..<12).flatMap { y in (16..<20).map { Int(after[y][$0]) } }
            #expect((middle.max() ?? 255) - (middle.min() ?? 0) < 70, "\(heads)")
            #expect((8..<12).contains { y in (16..<20).contains { before[y][$0] != after[y][$0] } })
            for y in 24..<48 { #expect(before[y] == after[y], "\(heads)") }
        }
    }

    /// The whole way from the analysis to the image: nobody's face is found afterwards.
    @Test(arguments: ["blur", "pixelate", "cover"])
    func noFaceIsFoundInThePackagedClip(_ heads: String) throws {
        let group = try Frame.picture(Checkout.clip.path, "video/x-raw,format=I420")
        let analysis = "personsegment quality=fast instance-masks=true ! facepose ! bodypose"
        let plain = try Harness("\(analysis) ! blendmask background-source=original", caps: group.caps)
        let before = try plain.transform(group)
        try #require(PeopleParts(before, .faces).people.count == 3)
        let line = "\(analysis) ! blendmask background-source=original heads=\(heads) ! facepose"
        let after = try Harness(line, caps: group.caps).transform(group)
        #expect(PeopleParts(after, .faces).people.isEmpty)
        // The lower third shows no head.
        let rows = (group.samples(0)[480...], after.samples(0)[480...])
        #expect(rows.0 == rows.1)
    }
}
