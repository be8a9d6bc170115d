import CGStreamer
import GStreamerKit
import TestSupport
import Testing

/// The copy of the settings that frames are analysed with.
struct SettingsTests {
    private let box = SettingsBox<ProbeElement.Settings>()

    /// Sets the first property, `number`.
    private func set(_ number: gint) {
        var value = GValue()
        g_value_init(&value, GType(people_g_type_int))
        g_value_set_int(&value, number)
        #expect(box.write(1, from: &value) == .stored)
        g_value_unset(&value)
    }

    @Test func aCopyIsMadeOnceForEachChange() {
        #expect(!box.renew())
        for number: gint in [1, 2, 3] {
            set(number)
            #expect(box.snapshot().number == number)
            #expect(box.current.number != number)
            #expect([box.renew(), box.renew(), box.renew()] == [true, false, false])
            #expect(box.current.number == number)
        }
    }

    @Test func severalChangesAreCopiedTogether() {
        for number: gint in [1, 2, 3] { set(number) }
        #expect([box.renew(), box.renew()] == [true, false])
        #expect(box.current.number == 3)
    }

    // MARK: - Elements

    /// Returns a number from the notes on the first frames.
    private func numbers(_ field: String, _ properties: String, count: Int) throws -> [Int?] {
        let frame = try Frame("video/x-raw,format=GRAY8,width=4,height=2,framerate=25/1")
        let harness = try probe("label=0 counts=true \(properties)", caps: frame.caps)
        for number in 0..<(count + 2) {
            frame.time = UInt64(number) * 40_000_000
            #expect(harness.push(frame) == GST_FLOW_OK)
        }
        return try (0..<count).map { _ in
            let analysed = try #require(harness.pull())
            return Note(analysed)?.int(field)
        }
    }

    /// The probe counts frames in a property; each sees what was set before it came.
    @Test func aFrameKeepsItsSettingsWhileTheyChange() throws {
        #expect(try numbers("number", "", count: 4) == [0, 1, 2, 3])
        #expect(try numbers("number-after", "", count: 4) == [0, 1, 2, 3])
    }

    /// A frame is looked at and an earlier one is processed with one copy, though each of both changes the number.
    @Test(arguments: ["ahead", "ahead-after", "number", "number-after"])
    func lookingAheadUsesTheSameCopy(field: String) throws {
        #expect(try numbers(field, "ahead=1", count: 3) == [1, 3, 5])
    }
}
