import JSON
import TestSupport
import Testing

@Suite struct JSONParserTests {
    private func parse(_ text: String) throws -> JSON {
        try JSON(parsing: Array(text.utf8))
    }

    @Test func parsesNestedValues() throws {
        let json = try parse(#" { "a": [1, -2.5e1, true, null], "b": {"c": "d"} } "#)
        #expect(json["a"] == .array([.integer(1), .number(-25), .bool(true), .null]))
        #expect(json["b"]?["c"]?.string == "d")
        #expect(json["none"] == nil)
        #expect(json["a"]?["b"] == nil)
    }

    @Test func accessorsRefuseOtherTypes() throws {
        #expect(try parse("1.5").integer == nil)
        #expect(try parse("1e300").integer == nil)
        #expect(try parse("12").integer == 12)
        #expect(try parse("1.2e1").integer == 12)
        #expect(try parse("12").number == 12)
        #expect(try parse("18446744073709551616").number == 0x1p64)
        #expect(try parse("\"12\"").integer == nil)
        #expect(try parse("[1, 2]").numbers == [1, 2])
        #expect(try parse("[1, true]").numbers == nil)
        #expect(try parse("false") == .bool(false))
    }

    @Test func parsesEscapedStrings() throws {
        #expect(try parse(#""\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00 é""#).string == "\"\\/\u{8}\u{C}\n\r\té😀 é")
    }

    @Test(arguments: [
        "", " ", "{", "[", "[1", "[1,", "[1,]", "{\"a\"", "{\"a\":", "{\"a\":1,}", "{a:1}", "{1:2}",
        "01", "+1", "1.", ".5", "-", "1e", "1e+", "0x1", "NaN", "Infinity", "1e999", "-1e999",
        "tru", "nul", "True", "1 2", "[1] x", "// c\n1", "'a'", "\"a", "\"\\", "\"\\x\"", "\"\\u12\"",
        "\"\\u12g4\"", "\"\\ud800\"", "\"\\ud800\\u0041\"", "\"\\udc00\"", "\"a\nb\"", "\"\u{0}\"",
        "{\"a\":1,\"a\":2}", "\u{FEFF}1",
    ])
    func refusesMalformedTexts(_ text: String) {
        #expect(throws: JSONError.self) { try parse(text) }
    }

    @Test func refusesInvalidUTF8() {
        #expect(throws: JSONError.self) { try JSON(parsing: [0x22, 0xFF, 0x22]) }
        #expect(throws: JSONError.self) { try JSON(parsing: [0x22, 0xC0, 0x80, 0x22]) }
        #expect(throws: JSONError.self) { try JSON(parsing: [0xFF]) }
    }

    @Test func depthIsLimited() throws {
        let deepest = 32
        _ = try parse(String(repeating: "[", count: deepest) + String(repeating: "]", count: deepest))
        #expect(throws: JSONError.self) { try parse(String(repeating: "[", count: 1_000_000)) }
    }

    @Test func everyPrefixAndEveryByteChangeIsReadOrRefused() {
        let text = Array(#"{"k":[1.5e3,"\u00e9\n",{"x":null},true],"s":"é"}"#.utf8)
        for end in text.indices {
            #expect(throws: JSONError.self) { try JSON(parsing: Array(text[..<end])) }
        }
        for position in text.indices {
            for byte in UInt8.min...UInt8.max {
                var changed = text
                changed[position] = byte
                _ = try? JSON(parsing: changed)
            }
        }
    }

    @Test func errorsGiveTheirPosition() {
        let error = thrown(JSONError.self) { try parse("[1, x]") }
        #expect(error?.description == "expected a value at byte 4")
    }
}
