/// A JSON value (RFC 8259), for reading and printing.
///
/// The accessors return `nil` for a missing key or another type and never trap.
public enum JSON: Sendable {
    /// The literal `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number without fraction and exponent.
    case integer(Int)
    /// Any other number; an infinite or undefined one is printed as `null`, since JSON has none.
    case number(Double)
    /// A string.
    case string(String)
    /// An array.
    case array([JSON])
    /// An object, which keeps the order of its fields; their names are unique.
    case object([(name: String, value: JSON)])
}

// MARK: - Reading

extension JSON {
    /// Parses `bytes` (UTF-8), which contain one value and white space.
    ///
    /// Strict: no comments, no trailing commas, no duplicate keys, and a limited depth.
    public init(parsing bytes: [UInt8]) throws(JSONError) {
        self = try JSONParser.parse(bytes)
    }

    /// The field `name`; `nil` if this is no object, or the object has no such field.
    public subscript(name: String) -> JSON? {
        if case .object(let fields) = self { fields.first { $0.name == name }?.value } else { nil }
    }

    /// The string, or `nil` for other types.
    public var string: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The number, or `nil` for other types.
    public var number: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }

    /// The number if it is a whole one that fits into `Int`, else `nil`.
    public var integer: Int? {
        if case .integer(let value) = self { value } else { number.flatMap { Int(exactly: $0) } }
    }

    /// The elements, or `nil` for other types.
    public var array: [JSON]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// The numbers of an array that contains only numbers, else `nil`.
    public var numbers: [Double]? {
        guard let array else { return nil }
        let values = array.compactMap(\.number)
        return values.count == array.count ? values : nil
    }
}

// MARK: - Printing

extension JSON {
    /// The value on one line.
    public var text: String {
        var text = ""
        append(to: &text)
        return text
    }

    private func append(to text: inout String) {
        switch self {
        case .null: text += "null"
        case .bool(let flag): text += flag ? "true" : "false"
        case .integer(let number): text += "\(number)"
        case .number(let number): text += number.isFinite ? "\(number)" : "null"
        case .string(let string): Self.append(string, to: &text)
        case .array(let values):
            text += "["
            for (index, value) in values.enumerated() {
                if index > 0 { text += ", " }
                value.append(to: &text)
            }
            text += "]"
        case .object(let fields):
            text += "{"
            for (index, field) in fields.enumerated() {
                if index > 0 { text += ", " }
                Self.append(field.name, to: &text)
                text += ": "
                field.value.append(to: &text)
            }
            text += "}"
        }
    }

    private static func append(_ string: String, to text: inout String) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"", "\\": text += "\\\(scalar)"
            case "\n": text += "\\n"
            case "\t": text += "\\t"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}

// MARK: - Equality

extension JSON: Hashable {
    /// Whether both print the same text: objects with the same fields in another order differ.
    public static func == (first: JSON, second: JSON) -> Bool { first.text == second.text }

    /// Hashes the printed text.
    public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

/// The reason why a text is not JSON, and the byte at which that was noticed.
public struct JSONError: Error, Equatable, CustomStringConvertible {
    /// The reason, as a phrase.
    public let reason: String
    /// The index of the byte, from 0.
    public let offset: Int

    /// The reason and the index of the byte.
    public var description: String { "\(reason) at byte \(offset)" }
}

/// A strict JSON parser, limited in depth so that no input can exhaust the stack.
struct JSONParser {
    static let maximumDepth = 32

    private let bytes: [UInt8]
    private var position = 0

    static func parse(_ bytes: [UInt8]) throws(JSONError) -> JSON {
        var parser = JSONParser(bytes: bytes)
        let value = try parser.value(depth: 0)
        parser.skipSpace()
        guard parser.position == bytes.count else { throw parser.error("text after the value") }
        return value
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }
}

// MARK: - Reading bytes

extension JSONParser {
    private var next: UInt8? {
        position < bytes.count ? bytes[position] : nil
    }

    private func error(_ reason: String) -> JSONError {
        JSONError(reason: reason, offset: position)
    }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { position += 1 }
    }

    private mutating func accept(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func expect(_ character: Unicode.Scalar) throws(JSONError) {
        guard accept(character) else { throw error("expected '\(character)'") }
    }

    private mutating func literal(_ text: StaticString, _ value: JSON) throws(JSONError) -> JSON {
        for character in text.description.unicodeScalars { try expect(character) }
        return value
    }
}

// MARK: - Values

extension JSONParser {
    private mutating func value(depth: Int) throws(JSONError) -> JSON {
        guard depth < Self.maximumDepth else { throw error("nested too deep") }
        skipSpace()
        switch next {
        case UInt8(ascii: "{"): return try object(depth: depth)
        case UInt8(ascii: "["): return try array(depth: depth)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try literal("true", .bool(true))
        case UInt8(ascii: "f"): return try literal("false", .bool(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        default: return try number()
        }
    }

    private mutating func array(depth: Int) throws(JSONError) -> JSON {
        var elements: [JSON] = []
        try expect("[")
        skipSpace()
        if accept("]") { return .array(elements) }
        repeat {
            elements.append(try value(depth: depth + 1))
            skipSpace()
        } while accept(",")
        try expect("]")
        return .array(elements)
    }

    private mutating func object(depth: Int) throws(JSONError) -> JSON {
        var fields: [(name: String, value: JSON)] = []
        var names: Set<String> = []
        try expect("{")
        skipSpace()
        if accept("}") { return .object(fields) }
        repeat {
            skipSpace()
            let name = try string()
            guard names.insert(name).inserted else { throw error("duplicate key '\(name)'") }
            skipSpace()
            try expect(":")
            fields.append((name, try value(depth: depth + 1)))
            skipSpace()
        } while accept(",")
        try expect("}")
        return .object(fields)
    }

    private mutating func number() throws(JSONError) -> JSON {
        let start = position
        _ = accept("-")
        if !accept("0") { try digits() }
        if accept(".") { try digits() }
        if accept("e") || accept("E") {
            if !accept("+") { _ = accept("-") }
            try digits()
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if let value = Int(text) { return .integer(value) }
        guard let value = Double(text), value.isFinite else { throw error("number out of range") }
        return .number(value)
    }

    private mutating func digits() throws(JSONError) {
        let start = position
        while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
        guard position > start else { throw error("expected a value") }
    }
}

// MARK: - Strings

extension JSONParser {
    private mutating func string() throws(JSONError) -> String {
        try expect("\"")
        var text: [UInt8] = []
        while let byte = next, byte != UInt8(ascii: "\"") {
            guard byte >= 0x20 else { throw error("control character in a string") }
            position += 1
            if byte == UInt8(ascii: "\\") {
                text.append(contentsOf: Unicode.Scalar(try escape()).utf8)
            } else {
                text.append(byte)
            }
        }
        try expect("\"")
        guard let string = String(validating: text, as: UTF8.self) else { throw error("invalid UTF-8") }
        return string
    }

    private mutating func escape() throws(JSONError) -> Unicode.Scalar {
        guard let byte = next else { throw error("unfinished escape") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try unicodeEscape()
        default: throw error("unknown escape")
        }
    }

    /// Parses `\uXXXX`, or two of them that form a UTF-16 surrogate pair.
    private mutating func unicodeEscape() throws(JSONError) -> Unicode.Scalar {
        let first = try hexadecimal()
        if let scalar = Unicode.Scalar(first) { return scalar }
        try expect("\\")
        try expect("u")
        let second = try hexadecimal()
        guard UTF16.isLeadSurrogate(first), UTF16.isTrailSurrogate(second),
            let scalar = Unicode.Scalar(0x10000 + UInt32(first & 0x3FF) << 10 + UInt32(second & 0x3FF))
        else { throw error("unpaired surrogate") }
        return scalar
    }

    private mutating func hexadecimal() throws(JSONError) -> UInt16 {
        var value: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw error("expected four hexadecimal digits")
            }
            value = value << 4 | UInt16(digit)
            position += 1
        }
        return value
    }
}
