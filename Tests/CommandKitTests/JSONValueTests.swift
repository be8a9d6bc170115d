import CommandKit
import Foundation
import Testing

struct JSONValueTests {
    /// What another reader of JSON understands.
    private func read(_ value: JSONValue) throws -> Any {
        try JSONSerialization.jsonObject(with: Data(value.text.utf8), options: .fragmentsAllowed)
    }

    @Test func objectsKeepTheirOrder() {
        let value = JSONValue.object([("b", .integer(1)), ("a", .array([.bool(true), .null]))])
        #expect(value.text == #"{"b": 1, "a": [true, null]}"#)
    }

    @Test(arguments: ["", "plain", "\"\\/", "\u{1}\t\n\r\u{1f}", "Größe 👪"])
    func textsComeBack(_ text: String) throws {
        #expect(try read(.string(text)) as? String == text)
    }

    @Test(arguments: [0, -0.5, 1e-7, 1e300, 0.1 + 0.2])
    func numbersComeBack(_ number: Double) {
        #expect(Double(JSONValue.number(number).text) == number)
    }

    @Test func whatIsNoNumberIsNull() { #expect(JSONValue.number(.nan).text == "null") }
}
