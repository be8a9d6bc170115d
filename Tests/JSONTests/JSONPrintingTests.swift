import Foundation
import JSON
import Testing

struct JSONPrintingTests {
    /// Returns the value as another JSON parser reads it.
    private func read(_ value: JSON) throws -> Any {
        try JSONSerialization.jsonObject(with: Data(value.text.utf8), options: .fragmentsAllowed)
    }

    @Test func objectsKeepTheirOrder() throws {
        let value = JSON.object([("b", .integer(1)), ("a", .array([.bool(true), .null]))])
        #expect(value.text == #"{"b": 1, "a": [true, null]}"#)
        #expect(try JSON(parsing: Array(value.text.utf8)) == value)
    }

    @Test(arguments: ["", "plain", "\"\\/", "\u{1}\t\n\r\u{1f}", "Größe 👪"])
    func stringsSurviveARoundTrip(_ text: String) throws {
        let value = JSON.string(text)
        #expect(try read(value) as? String == text)
        #expect(try JSON(parsing: Array(value.text.utf8)) == value)
    }

    @Test(arguments: [0, -0.5, 1e-7, 1e300, 0.1 + 0.2])
    func numbersSurviveARoundTrip(_ number: Double) throws {
        let value = JSON.number(number)
        #expect(Double(value.text) == number)
        #expect(try JSON(parsing: Array(value.text.utf8)).number == number)
    }

    @Test func nanIsWrittenAsNull() { #expect(JSON.number(.nan).text == "null") }
}
