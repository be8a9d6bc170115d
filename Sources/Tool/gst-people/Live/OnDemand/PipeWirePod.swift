/// Values in messages of PipeWire's protocol: each has its length and its type before it, and is padded to
/// eight bytes.
enum PipeWirePod: Equatable {
    case int(Int32)
    case text(String)
    case list([PipeWirePod])
    /// A value of another type, which is skipped.
    case other

    // Numbers of `SPA_TYPE_Id`, `SPA_TYPE_Int`, `SPA_TYPE_String` and `SPA_TYPE_Struct`.
    private static let (idType, intType, textType, listType): (UInt32, UInt32, UInt32, UInt32) =
        (3, 4, 8, 14)
    /// Depth to which lists are read; PipeWire's have three levels at most.
    private static let maximumDepth = 8

    // MARK: - Writing

    /// The value as it is sent.
    var bytes: [UInt8] {
        switch self {
        case .int(let number):
            Self.value(Self.intType, Self.word(UInt32(bitPattern: number)))
        case .text(let text): Self.value(Self.textType, Array(text.utf8) + [0])
        case .list(let values): Self.value(Self.listType, values.flatMap(\.bytes))
        case .other: []
        }
    }

    private static func value(_ type: UInt32, _ body: [UInt8]) -> [UInt8] {
        let padding = [UInt8](repeating: 0, count: padded(body.count) - body.count)
        return word(UInt32(truncatingIfNeeded: body.count)) + word(type) + body + padding
    }

    /// Returns the four bytes of a number in the order of this machine, which the protocol uses.
    static func word(_ number: UInt32) -> [UInt8] { withUnsafeBytes(of: number) { Array($0) } }

    // MARK: - Reading

    /// Reads the value at the start of `bytes`; nil when they are too few.
    init?(_ bytes: ArraySlice<UInt8>) {
        guard let value = Self.read(bytes, 0)?.value else { return nil }
        self = value
    }

    /// Returns the number at a place in `bytes`; nil beyond their end.
    static func word(_ bytes: ArraySlice<UInt8>, at place: Int) -> UInt32? {
        let start = bytes.startIndex + place
        guard place >= 0, start + 4 <= bytes.endIndex else { return nil }
        return bytes[start..<start + 4].withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
    }

    private static func read(
        _ bytes: ArraySlice<UInt8>, _ depth: Int
    ) -> (value: PipeWirePod, length: Int)? {
        guard depth < maximumDepth, let size = word(bytes, at: 0), let type = word(bytes, at: 4) else {
            return nil
        }
        let (start, length) = (bytes.startIndex + 8, Int(size))
        guard start + length <= bytes.endIndex else { return nil }
        let body = bytes[start..<start + length]
        return (value(type, body, depth), 8 + padded(length))
    }

    private static func value(_ type: UInt32, _ body: ArraySlice<UInt8>, _ depth: Int) -> PipeWirePod {
        switch type {
        case idType, intType: word(body, at: 0).map { .int(Int32(bitPattern: $0)) } ?? .other
        case textType: .text(String(decoding: body.prefix { $0 != 0 }, as: UTF8.self))
        case listType: .list(values(body, depth + 1))
        default: .other
        }
    }

    private static func values(_ body: ArraySlice<UInt8>, _ depth: Int) -> [PipeWirePod] {
        var (values, rest): ([PipeWirePod], ArraySlice<UInt8>) = ([], body)
        while let next = read(rest, depth) {
            values.append(next.value)
            rest = rest.dropFirst(next.length)
        }
        return values
    }

    private static func padded(_ count: Int) -> Int { (count + 7) & ~7 }
}

extension PipeWirePod {
    var number: Int32? { if case .int(let number) = self { number } else { nil } }
    var text: String? { if case .text(let text) = self { text } else { nil } }
    /// The values of a list; none of another value.
    var values: [PipeWirePod] { if case .list(let values) = self { values } else { [] } }

    /// Returns the text of a name in a dictionary: a list of their number, and names and texts in turns.
    func text(of name: String) -> String? {
        let values = values
        for place in stride(from: 1, to: values.count - 1, by: 2) where values[place].text == name {
            return values[place + 1].text
        }
        return nil
    }
}
