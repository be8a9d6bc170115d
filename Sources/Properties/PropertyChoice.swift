/// An enumeration that is the type of a property; the raw values are the words that users type.
public protocol PropertyChoice: CaseIterable, RawRepresentable, Sendable, Equatable
where RawValue == String, AllCases == [Self] {
    /// The name of the GType, unique in the process: `GstPeopleQuality`.
    static var typeName: String { get }
    /// The effect of the case, in a few words.
    var blurb: String { get }
}

/// The words of an enumeration, in their order.
public struct PropertyWords: Sendable {
    /// The name of the GType, unique in the process.
    public let typeName: String
    /// The words that users type, and the effect of each.
    public let words: [(word: String, blurb: String)]
}

extension PropertyChoice {
    /// The words of the enumeration.
    static var words: PropertyWords {
        PropertyWords(typeName: typeName, words: allCases.map { ($0.rawValue, $0.blurb) })
    }

    var number: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    init?(number: Int) {
        guard Self.allCases.indices.contains(number) else { return nil }
        self = Self.allCases[number]
    }
}
