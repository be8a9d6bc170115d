import CGStreamer
import TestSupport
import Testing

/// The people who are shown when some are chosen.
struct InstanceSelectionTests {
    private static let shown: UInt8 = 99
    private static let line = "blendmask background-color=0xff000000"
    let frame: Frame

    init() throws {
        frame = try Frame(caps("RGB", 32, 8))
        frame.fillBytes(with: Self.shown)
    }

    /// Returns four columns of eight pixels: background, two people with the ids 4 and 7, and others without
    /// an id.
    private func mask(ids: [Int] = [4, 7]) -> HandMadeMask {
        let labels = (0..<256).map { UInt8($0 % 32 / 8) }
        let people = ids.enumerated().map { index, id -> [String: HandMadeMask.Value] in
            let mask = labels.map { Int($0) == index + 1 ? UInt8(255) : 0 }
            return ["id": .int(id), "label": .int(index + 1), "mask": .bytes(mask)]
        }
        return HandMadeMask(width: 32, height: 8) { x, _ in x < 8 ? 0 : 255 }
            .with("labels", .bytes(labels)).with("instances", .list(people))
    }

    /// Whether each of the four columns is shown in a frame with `mask`.
    private func columns(_ harness: Harness, _ mask: HandMadeMask) throws -> [Bool] {
        let carrying = frame.duplicate()
        try mask.attach(to: carrying)
        let row = try harness.transform(carrying).samples(0)[4]
        return (0..<4).map { row[8 * $0 + 4] == Self.shown }
    }

    private func columns(_ properties: String, _ mask: HandMadeMask? = nil) throws -> [Bool] {
        try columns(Harness("\(Self.line) \(properties)", caps: frame.caps), mask ?? self.mask())
    }

    @Test(arguments: [
        ("", [false, true, true, true]), ("instances=4", [false, true, false, false]),
        ("instances=\"4, 7\"", [false, true, true, false]), ("instances=5", [false, false, false, false]),
        ("instances=5,7", [false, false, true, false]), ("instances-except=7", [false, true, false, false]),
        ("instances-except=5", [false, true, true, false]),
        ("instances=4,7 instances-except=4", [false, false, true, false]),
        ("instances-at=0.4,0.5", [false, true, false, false]),
        ("instances-at=0.4,0.5 instances=7", [false, true, true, false]),
        ("instances-at=0.1,0.5", [false, true, true, true]),
        ("instances-at=1,1", [false, false, false, false]),
        ("instances-at=0,0 instances-except=7", [false, true, false, false]),
    ])
    func showsOnlyTheChosenPeople(_ properties: String, _ expected: [Bool]) throws {
        #expect(try columns(properties) == expected)
    }

    /// Nobody is shown by accident: if a person to be hidden cannot be found, all people are hidden.
    @Test(arguments: [
        ("instances=4", [true, false, true, true]), ("instances=5", [false, false, false, false]),
        ("instances-except=7", [true, false, true, false]),
        ("instances-at=0.4,0.5", [true, false, true, true]),
        ("instances-at=0.9,0.5", [false, false, false, false]),
    ])
    func hidesOnlyTheChosenPeopleWhenInverted(_ properties: String, _ expected: [Bool]) throws {
        #expect(try columns("invert=true \(properties)") == expected)
    }

    /// Undefined mask values show nobody, and nothing that other masks hide.
    @Test(arguments: [
        ("instances=4", 4, [false, false, false, false]),
        ("instances-except=4", 4, [false, false, true, false]),
        ("invert=true instances=4", 4, [false, false, false, false]),
        ("invert=true instances-except=4", 4, [false, false, false, false]),
        ("invert=true instances-except=4", nil, [false, false, false, false]),
        ("invert=true instances=4,7", 7, [false, false, false, false]),
    ])
    func hidesUndefinedMaskValues(_ properties: String, _ id: Int?, _ expected: [Bool]) throws {
        let undefined = (0..<256).flatMap { _ in withUnsafeBytes(of: Float.nan) { Array($0) } }
        let labels = (0..<256).map { $0 % 32 / 8 }
        let floats = { (isIn: (Int) -> Bool) in
            labels.flatMap { withUnsafeBytes(of: isIn($0) ? Float(1) : 0) { Array($0) } }
        }
        let people = [4, 7].enumerated().map { index, person -> [String: HandMadeMask.Value] in
            let mask = person == id ? undefined : floats { $0 == index + 1 }
            return ["id": .int(person), "label": .int(index + 1), "mask": .bytes(mask)]
        }
        let mask = HandMadeMask(floats: 32, height: 8) { x, _ in id == nil ? .nan : x < 8 ? 0 : 1 }
            .with("labels", .bytes(labels.map { UInt8($0) })).with("instances", .list(people))
        #expect(try columns(properties, mask) == expected)
    }

    @Test func aPointFollowsThePersonsId() throws {
        let harness = try Harness("\(Self.line) instances-at=0.4,0.5", caps: frame.caps)
        #expect(try columns(harness, mask()) == [false, true, false, false])
        #expect(try columns(harness, mask(ids: [7, 4])) == [false, false, true, false])
        #expect(try columns(harness, mask(ids: [7, 9])) == [false, false, false, false])
        #expect(try columns(harness, mask(ids: [4])) == [false, true, false, false])
        // The same point again counts as a new click.
        harness.set("instances-at", "0.4,0.5")
        #expect(try columns(harness, mask(ids: [9, 4])) == [false, true, false, false])
        harness.set("instances-at", "0.7,0.5")
        #expect(try columns(harness, mask(ids: [9, 4])) == [false, false, true, false])
        harness.set("instances-at", "")
        #expect(try columns(harness, mask()) == [false, true, true, true])
    }

    /// Sends the element a press of a button in the image.
    private func press(_ harness: Harness, x: Double, y: Double = 4, button: Int32 = 1) {
        harness.push(
            upstream: gst_navigation_event_new_mouse_button_press(button, x, y, GST_NAVIGATION_MODIFIER_NONE))
    }

    @Test func aClickSelectsThePersonUnderIt() throws {
        let harness = try Harness("\(Self.line) select-by-click=true", caps: frame.caps)
        #expect(try columns(harness, mask()) == [false, true, true, true])
        press(harness, x: 12)
        #expect(try columns(harness, mask()) == [false, true, false, false])
        #expect(try columns(harness, mask(ids: [7, 4])) == [false, false, true, false])
        press(harness, x: 20)
        #expect(try columns(harness, mask()) == [false, false, true, false])
        // Other buttons, the borders around an image, and other events select nobody.
        press(harness, x: 12, button: 2)
        press(harness, x: -1)
        press(harness, x: 12, y: 8)
        harness.push(upstream: gst_navigation_event_new_mouse_move(12, 4, GST_NAVIGATION_MODIFIER_NONE))
        #expect(try columns(harness, mask()) == [false, false, true, false])
        press(harness, x: 2)
        #expect(try columns(harness, mask()) == [false, true, true, true])
    }

    /// Elements upstream receive all events that the element does not handle.
    @Test(arguments: [(true, 1), (false, 2)])
    func passesUnhandledEventsUpstream(_ takes: Bool, _ expected: Int) throws {
        let harness = try Harness("\(Self.line) select-by-click=\(takes)", caps: frame.caps)
        _ = try columns(harness, mask())
        _ = harness.upstreamEvents()
        press(harness, x: 12)
        harness.push(upstream: gst_navigation_event_new_mouse_move(12, 4, GST_NAVIGATION_MODIFIER_NONE))
        #expect(harness.upstreamEvents().filter { $0 == GST_EVENT_NAVIGATION }.count == expected)
        #expect(try columns(harness, mask()) == [false, true, !takes, !takes])
    }

    @Test(arguments: ["instances", "labels"])
    func hidesAllPeopleWithoutInstancesOrLabels(_ field: String) throws {
        for properties in [
            "instances=4", "instances-at=0.4,0.5", "instances-except=7", "invert=true instances=4",
        ] {
            #expect(try columns(properties, mask().with(field, nil)) == [false, false, false, false])
        }
    }

    @Test func aPersonWithoutAMaskIsNotShown() throws {
        let wrong: [HandMadeMask.Value] = [.bytes([]), .bytes([255]), .int(1), .text("mask")]
        for value in wrong {
            let people: [[String: HandMadeMask.Value]] = [["id": .int(4), "label": .int(1), "mask": value]]
            for properties in ["instances=4", "invert=true instances=4"] {
                let shown = try columns(properties, mask().with("instances", .list(people)))
                #expect(shown == [false, false, false, false])
            }
        }
        #expect(
            try columns("instances-at=0.4,0.5", mask().with("labels", .bytes([1]))).contains(true) == false)
    }

    @Test(arguments: ["instances=5", "invert=true instances=5", "invert=true instances=4,5"])
    func warnsOnceOfAMissingSelectedPerson(_ properties: String) throws {
        let harness = try Harness("\(Self.line) \(properties)", caps: frame.caps)
        for _ in 0..<40 { _ = try columns(harness, mask()) }
        let warnings = harness.messages().filter { $0.kind == .warning }
        #expect(warnings.count == 1 && warnings[0].isOfMissingMasks, "\(warnings)")
    }

    private func isOfSettings(_ kind: BusMessage.Kind, _ message: BusMessage) -> Bool {
        message.is(kind, gst_library_error_quark(), GST_LIBRARY_ERROR_SETTINGS.rawValue)
    }

    private static let malformed = [
        "instances=x", "instances=1,,2", "instances=-1", "instances=1.5", "instances-at=0.5",
        "instances-at=0.5,1.5", "instances-at=a,b", "instances-at=nan,0", "instances-except=1;2",
    ]

    @Test(arguments: malformed) func refusesMalformedLists(_ property: String) throws {
        let words = property.split(separator: "=").map(String.init)
        let bare = try BareElement("blendmask", [(words[0], words[1])])
        #expect(!bare.enter(GST_STATE_PAUSED))
        #expect(bare.message.map { isOfSettings(.error, $0) } == true)
        // A second attempt fails, too.
        #expect(!bare.enter(GST_STATE_PAUSED))
        #expect(bare.dispose())
    }

    @Test func malformedValuesWhilePlayingChangeNothing() throws {
        let harness = try Harness("\(Self.line) instances=4", caps: frame.caps)
        #expect(try columns(harness, mask()) == [false, true, false, false])
        harness.set("instances", "everybody")
        #expect(try columns(harness, mask()) == [false, true, false, false])
        #expect(try columns(harness, mask()) == [false, true, false, false])
        let warnings = harness.messages().filter { $0.kind == .warning }
        #expect(warnings.count == 1 && isOfSettings(.warning, warnings[0]), "\(warnings)")
    }

    /// The whole way from the analysis to the image.
    @Test func showsOneOfThePeopleOfThePackagedClip() throws {
        let group = try Frame.picture(Checkout.clip.path, "video/x-raw,format=RGB")
        let line = "personsegment quality=fast instance-masks=true ! blendmask show=mask"
        func shown(_ properties: String) throws -> [Bool] {
            let rows = try Harness("\(line) \(properties)", caps: group.caps).transform(group).samples(0)
            // Positions of the three people's chests.
            return [0.18, 0.42, 0.75].map { rows[500][Int($0 * 1080)] > 128 }
        }
        #expect(try shown("") == [true, true, true])
        #expect(try shown("instances-at=0.42,0.7") == [false, true, false])
        #expect(try shown("instances-at=0.98,0.1") == [true, true, true])
    }
}
