import PeopleSettings
import Testing

/// The settings with which the room behind the people stays hidden.
struct HiddenRoomTests {
    @Test(arguments: [
        ("threshold", "0", false), ("threshold", "0.0", false), ("threshold", "1e-9", true),
        ("threshold", "0.49", true), ("threshold", "0.5", false), ("threshold", "nan", true),
        ("expand", "-20", false), ("expand", "2", false), ("expand", "2.1", true), ("feather", "5", true),
        ("inference-interval", "3", true), ("model-path", "own.xml", true), ("model-path", "", false),
        ("smoothing", "1", false),
    ])
    func limitsTheMask(_ property: String, _ text: String, _ isFault: Bool) {
        let fault = HiddenRoom.fault { $0 == "personsegment" && $1 == property ? text : nil }
        #expect((fault != nil) == isFault, "\(fault ?? "no fault")")
    }

    @Test(arguments: [
        ("no-mask", "cover", false), ("no-mask", "error", false), ("no-mask", "pass", true),
        ("no-mask", "0", true),
        ("max-mask-age", "-1", false), ("max-mask-age", "0", true),
        ("max-mask-age", "9223372036854775807", true),
    ])
    func limitsFramesWithoutAMask(_ property: String, _ text: String, _ isFault: Bool) {
        let fault = HiddenRoom.fault { $0 == "blendmask" && $1 == property ? text : nil }
        #expect((fault != nil) == isFault, "\(fault ?? "no fault")")
    }
}
