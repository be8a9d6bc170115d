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
