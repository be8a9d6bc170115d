/// An identifier of 128 bits, which an observation gets when it is made.
///
/// It is a random UUID (version 4 of RFC 9562). Copies of an observation have the same one, and so has what is read
/// from an encoded observation; a new analysis of the same image makes others.
public struct ObservationUUID: Sendable, Hashable {
    /// The sixteen bytes, the first one in the highest bits.
    private let high: UInt64
    private let low: UInt64

    /// Makes a new identifier.
    init() {
        var random = SystemRandomNumberGenerator()
        high = random.next() & 0xffff_ffff_ffff_0fff | 0x4000
        low = random.next() & 0x3fff_ffff_ffff_ffff | 0x8000_0000_0000_0000
    }

    /// Reads an identifier: 32 hexadecimal digits in five groups, of 8, 4, 4, 4 and 12.
    ///
    /// - Returns: nil for another text.
    public init?(uuidString text: String) {
        let groups = text.split(separator: "-", omittingEmptySubsequences: false)
        guard groups.map(\.utf8.count) == Self.groups else { return nil }
        let digits = groups.joined()
        guard digits.utf8.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let high = UInt64(digits.prefix(16), radix: 16), let low = UInt64(digits.suffix(16), radix: 16)
        else { return nil }
        (self.high, self.low) = (high, low)
    }

    /// Numbers of digits between the hyphens.
    private static let groups = [8, 4, 4, 4, 12]

    /// The identifier in capital hexadecimal digits, as Foundation's `UUID` has it.
    public var uuidString: String {
        var digits = Self.digits(of: high) + Self.digits(of: low)
        let groups = Self.groups.map { count in
            defer { digits.removeFirst(count) }
            return String(digits.prefix(count))
        }
        return groups.joined(separator: "-")
    }

    /// Returns sixteen digits.
    private static func digits(of half: UInt64) -> String {
        let digits = String(half, radix: 16, uppercase: true)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

extension ObservationUUID: CustomStringConvertible {
    /// `uuidString`.
    public var description: String { uuidString }
}

extension ObservationUUID: Codable {
    /// Reads the text of an identifier.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.singleValueContainer()
        guard let identifier = ObservationUUID(uuidString: try values.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: values, debugDescription: "This is no UUID.")
        }
        self = identifier
    }

    /// Writes `uuidString`, as Foundation's `UUID` does.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.singleValueContainer()
        try values.encode(uuidString)
    }
}

/// The result of a request, with an identifier of its own.
///
/// The identifier takes no part in `==` and `hash(into:)`: observations are equal where they say the same about their
/// images. To tell two equal ones apart, compare their `uuid`.
public protocol VisionObservation: Sendable {
    /// The identifier of this observation, the same in all its copies.
    @_disfavoredOverload
    var uuid: ObservationUUID { get }
}

// `@_disfavoredOverload`, here and at some other declarations, lets PeopleVisionFoundation have properties of the same
// names with Foundation's types, which are taken unless a program asks for the type of this module.

extension VisionObservation {
    /// `uuid`, for a module in which another property of that name hides it.
    package var identifier: ObservationUUID { uuid }
}

/// Leaves a property out of `==` and `hash(into:)`.
@propertyWrapper struct Incomparable<Value: Sendable & Codable>: Sendable, Hashable, Codable {
    var wrappedValue: Value

    static func == (_: Self, _: Self) -> Bool { true }

    func hash(into _: inout Hasher) {}

    init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

    init(from decoder: any Decoder) throws { wrappedValue = try Value(from: decoder) }

    func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
}
