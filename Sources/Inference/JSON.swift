/// A JSON value (RFC 8259), as read from the description that lies beside a model.
///
/// The accessors return `nil` for a missing key or another type and never trap.
public enum JSON: Hashable, Sendable {
    /// The literal `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// Any number, as a finite double.
    case number(Double)
    /// A string.
    case string(String)
    /// An array.
    case array([JSON])
    /// An object; its keys are unique.
    case object([String: JSON])

    /// The member `key`, or `nil` if this is no object or has none.
    public subscript(key: String) -> JSON? {
        if case .object(let members) = self { members[key] } else { nil }
    }

    /// The string, or `nil` for other types.
    public var string: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The number, or `nil` for other types.
    public var number: Double? {
        if case .number(let value) = self { value } else { nil }
    }

    /// The number if it is a whole one that fits into `Int`, else `nil`.
    public var integer: Int? {
        number.flatMap { Int(exactly: $0) }
    }

    /// The elements, or `nil` for other types.
    public var array: [JSON]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// The numbers of an array that holds nothing but numbers, else `nil`.
    public var numbers: [Double]? {
        guard let array else { return nil }
        let values = array.compactMap(\.number)
        return values.count == array.count ? values : nil
    }
}
