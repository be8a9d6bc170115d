import PeopleSettings
import Properties
import Testing

/// Values that are written as texts.
struct PropertyTextTests {
    /// Ids count from 1 in every host.
    @Test(
        arguments: [
            ("1", [1]), ("1,3", [1, 3]), (" 2 , 1", [2, 1]), ("9223372036854775807", [Int.max]),
            ("", nil), ("0", nil), ("1,0", nil), ("-1", nil), ("1,,2", nil), ("1;2", nil), ("x", nil),
            ("1.0", nil),
            ("9223372036854775808", nil),
        ] as [(String, [Int]?)])
    func readsIDs(_ text: String, _ ids: [Int]?) throws {
        #expect(PropertyText.ids(text) == ids)
        #expect(TextForm.ids.accepts(text) == (ids != nil))
        guard !text.isEmpty else { return }
        if let ids {
            #expect(try PeopleIDs.read(text, of: "instances") == ids)
        } else {
            #expect(throws: MalformedProperty.self) { try PeopleIDs.read(text, of: "instances") }
        }
    }

    @Test(
        arguments: [
            ("0.4,0.5", [0.4, 0.5]), ("0, 1", [0, 1]), ("1e-1,1", [0.1, 1]), ("", nil), ("0.4", nil),
            ("0.4,0.5,0.6", nil), ("-0.1,0", nil), ("0,1.1", nil), ("nan,0", nil), ("a,b", nil),
        ] as [(String, [Double]?)])
    func readsPoints(_ text: String, _ point: [Double]?) {
        #expect(PropertyText.point(text).map { [$0.x, $0.y] } == point)
        #expect(TextForm.point.accepts(text) == (point != nil))
    }

    @Test(
        arguments: [
            ("00b140", 0xff00_b140), ("#00B140", 0xff00_b140), ("0x00b140", 0xff00_b140),
            ("1200b140", 0xff00_b140),
            ("00b14", nil), ("green!", nil), ("", nil), ("#", nil), ("+0b140", nil),
        ] as [(String, UInt32?)])
    func readsColors(_ text: String, _ color: UInt32?) {
        #expect(PropertyText.color(text) == color)
        if let color { #expect(PropertyText.color(PropertyText.digits(of: color)) == color) }
    }
}
