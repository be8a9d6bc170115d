/// An enumeration that is the type of a property; the raw values are the words that users type.
public protocol PropertyChoice: CaseIterable, RawRepresentable, Sendable, Equatable
where RawValue == String, AllCases == [Self] {
    /// The name of the enumeration, unique among properties: `Quality`.
    static var name: String { get }
    /// The case in controls: its word, capitalised, unless it has a better one.
    var label: String { get }
    /// The effect of the case, in a few words.
    var blurb: String { get }
}

/// The words of an enumeration, in their order.
public struct PropertyWords: Sendable {
    /// A word that users type, its label in controls, and its effect.
    public struct Word: Sendable {
        /// The word.
        public let word: String
        /// The word in controls.
        public let label: String
        /// The effect, in a few words.
        public let blurb: String
    }

    /// The name of the enumeration, unique among properties.
    public let name: String
    /// The words.
    public let words: [Word]
}

extension PropertyChoice {
    /// The word, capitalised.
    public var label: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }

    /// The words of the enumeration.
    static var words: PropertyWords {
        PropertyWords(
            name: name,
            words: allCases.map { PropertyWords.Word(word: $0.rawValue, label: $0.label, blurb: $0.blurb) })
    }

    var number: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    init?(number: Int) {
        guard Self.allCases.indices.contains(number) else { return nil }
        self = Self.allCases[number]
    }
}
