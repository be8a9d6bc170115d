import Glibc

/// The settings of an element or filter: a plain struct whose fields are offered as properties.
public protocol ElementSettings: Sendable {
    /// Makes settings with their defaults.
    init()
    /// The properties, in the order in which they are listed.
    static var properties: [Property<Self>] { get }
}

/// A property: what every host knows of it, and its storage in the settings.
///
/// The default is the value in a new `Settings()`, so it is written once. Hosts make their own kinds of
/// properties from it, such as GObject's.
public struct Property<Settings: ElementSettings> {
    /// The name, the documentation, the range, and the hosts that offer the property.
    public internal(set) var facts: PropertyFacts
    /// Returns the property's value in some settings.
    public let read: (Settings) -> PropertyValue
    /// Stores a value; does nothing with a value of another kind.
    public let write: (inout Settings, PropertyValue) -> Void

    /// Returns this property as one of settings that contain its own, at `path`.
    public func lifted<Whole: ElementSettings>(to path: WritableKeyPath<Whole, Settings>) -> Property<Whole> {
        Property<Whole>(
            facts: facts, read: { read($0[keyPath: path]) }, write: { write(&$0[keyPath: path], $1) })
    }

    /// Returns this property under a name that it had before, deprecated; windows and options have the new name only.
    public func formerly(_ former: String) -> Property {
        var facts = PropertyFacts(
            name: former, blurb: "Deprecated: the former name of \(name)", kind: kind, mutability: mutability)
        facts.replacement = name
        for host in PropertyHost.allCases where host != .element && host != .preset {
            facts.exclusions[host] = "it has the property under its new name"
        }
        return Property(facts: facts, read: read, write: write)
    }

    /// The default.
    public var initial: PropertyValue { read(Settings()) }
}

extension Property {
    /// The name, in lower case with hyphens.
    public var name: String { facts.name }
    /// The description, as a phrase or a few sentences.
    public var blurb: String { facts.blurb }
    /// The type of its values, and their range.
    public var kind: PropertyKind { facts.kind }
    /// The states in which it may change.
    public var mutability: Mutability { facts.mutability }
    /// The name that has replaced this one; nil unless the property is deprecated.
    public var replacement: String? { facts.replacement }
}

/// The type of a property's values, with their range.
public enum PropertyKind: Sendable {
    case int(ClosedRange<Int32>)
    case int64(ClosedRange<Int64>)
    case double(ClosedRange<Double>)
    /// A colour as 0xAARRGGBB.
    case color
    case bool
    /// A text, or nil.
    case text(TextForm)
    case choice(PropertyWords)
}

extension PropertyKind {
    /// The range of a number; nil for other kinds.
    public var range: ClosedRange<Double>? {
        switch self {
        case .int(let range): Double(range.lowerBound)...Double(range.upperBound)
        case .int64(let range): Double(range.lowerBound)...Double(range.upperBound)
        case .double(let range): range
        case .color, .bool, .text, .choice: nil
        }
    }
}

extension PropertyKind {
    /// Returns the value that GStreamer spells as `text`; nil for a text that is none.
    package func value(of text: String) -> PropertyValue? {
        switch self {
        case .int: Int32(text).map { .int($0) }
        case .int64: Int64(text).map { .int64($0) }
        case .double: Double(text).map { .double($0) }
        case .color: UInt32(text).map { .color($0) }
        case .bool: Bool(text).map { .bool($0) }
        case .text: .text(text)
        case .choice(let words): words.words.firstIndex { $0.word == text }.map { .choice($0) }
        }
    }
}

/// A value of a property.
public enum PropertyValue: Sendable, Equatable {
    case int(Int32)
    case int64(Int64)
    case double(Double)
    /// A colour as 0xAARRGGBB.
    case color(UInt32)
    case bool(Bool)
    case text(String?)
    /// The index of a word.
    case choice(Int)
}

/// The states in which an application may change a property.
public enum Mutability: Sendable {
    /// Changes before the stream begins; takes effect at the next start.
    case untilReady
    /// Changes at any time; takes effect with the next frame, or as soon as other models are loaded.
    case whilePlaying
    /// Changes at any time, also from frame to frame by a program's controller.
    case animated
    /// Changes at any time, but a Boolean that is true in a stream stays true until the stream ends.
    case latched
}

extension Property {
    /// Returns a property that is stored at `key`.
    ///
    /// - Parameters:
    ///   - show: makes a property's value of a stored one.
    ///   - store: makes a stored value of a property's; nil for one of another kind.
    private static func stored<Value>(
        _ name: String, _ blurb: String, _ kind: PropertyKind, _ key: WritableKeyPath<Settings, Value>,
        _ mutability: Mutability, show: @escaping (Value) -> PropertyValue,
        store: @escaping (PropertyValue) -> Value?
    ) -> Self {
        Property(
            facts: PropertyFacts(name: name, blurb: blurb, kind: kind, mutability: mutability),
            read: { show($0[keyPath: key]) },
            write: { settings, value in
                if let value = store(value) { settings[keyPath: key] = value }
            })
    }

    /// Returns a property that is a whole number in `range`.
    public static func int(
        _ name: String, _ blurb: String, in range: ClosedRange<Int32>,
        _ key: WritableKeyPath<Settings, Int32>, _ mutability: Mutability = .animated
    ) -> Self {
        stored(
            name, blurb, .int(range), key, mutability, show: { .int($0) },
            store: { if case .int(let value) = $0 { value } else { nil } })
    }

    /// Returns a property that is a whole number in `range`, stored by a conversion.
    public static func int<Stored>(
        _ name: String, _ blurb: String, in range: ClosedRange<Int32>,
        as conversion: PropertyConversion<Stored, Int32>,
        _ key: WritableKeyPath<Settings, Stored>, _ mutability: Mutability = .animated
    ) -> Self {
        stored(
            name, blurb, .int(range), key, mutability, show: { .int(conversion.show($0)) },
            store: { if case .int(let value) = $0 { conversion.store(value) } else { nil } })
    }

    /// Returns a property that is a count in `range`.
    public static func count(
        _ name: String, _ blurb: String, in range: ClosedRange<Int>, _ key: WritableKeyPath<Settings, Int>,
        _ mutability: Mutability = .animated
    ) -> Self {
        int(
            name, blurb, in: Int32(clamping: range.lowerBound)...Int32(clamping: range.upperBound),
            as: .count, key,
            mutability)
    }

    /// Returns a property that is a whole number in `range`, such as a time.
    public static func int64(
        _ name: String, _ blurb: String, in range: ClosedRange<Int64>,
        _ key: WritableKeyPath<Settings, Int64>, _ mutability: Mutability = .whilePlaying
    ) -> Self {
        stored(
            name, blurb, .int64(range), key, mutability, show: { .int64($0) },
            store: { if case .int64(let value) = $0 { value } else { nil } })
    }

    /// Returns a property that is a real number in `range`.
    public static func double(
        _ name: String, _ blurb: String, in range: ClosedRange<Double>,
        _ key: WritableKeyPath<Settings, Double>, _ mutability: Mutability = .animated
    ) -> Self {
        stored(
            name, blurb, .double(range), key, mutability, show: { .double($0) },
            store: { if case .double(let value) = $0 { value } else { nil } })
    }

    /// Returns a property that is a real number in `range`, stored by a conversion.
    public static func double<Stored>(
        _ name: String, _ blurb: String, in range: ClosedRange<Double>,
        as conversion: PropertyConversion<Stored, Double>,
        _ key: WritableKeyPath<Settings, Stored>, _ mutability: Mutability = .animated
    ) -> Self {
        stored(
            name, blurb, .double(range), key, mutability, show: { .double(conversion.show($0)) },
            store: { if case .double(let value) = $0 { conversion.store(value) } else { nil } })
    }

    /// Returns a property that is a colour as 0xAARRGGBB.
    public static func color(
        _ name: String, _ blurb: String, _ key: WritableKeyPath<Settings, UInt32>,
        _ mutability: Mutability = .animated
    ) -> Self {
        stored(
            name, blurb, .color, key, mutability, show: { .color($0) },
            store: { if case .color(let value) = $0 { value } else { nil } })
    }

    /// Returns a property that is a Boolean.
    public static func bool(
        _ name: String, _ blurb: String, _ key: WritableKeyPath<Settings, Bool>,
        _ mutability: Mutability = .animated
    ) -> Self {
        stored(
            name, blurb, .bool, key, mutability, show: { .bool($0) },
            store: { if case .bool(let value) = $0 { value } else { nil } })
    }

    /// Returns a property that is a text, or nil when unset.
    public static func string(
        _ name: String, _ blurb: String, as form: TextForm = .free,
        _ key: WritableKeyPath<Settings, String?>, _ mutability: Mutability = .whilePlaying
    ) -> Self {
        stored(
            name, blurb, .text(form), key, mutability, show: { .text($0) },
            store: { if case .text(let value) = $0 { .some(value) } else { nil } })
    }

    /// Returns a property that is a text and never unset: nil restores the default.
    public static func text(
        _ name: String, _ blurb: String, _ key: WritableKeyPath<Settings, String>,
        _ mutability: Mutability = .whilePlaying
    ) -> Self {
        stored(
            name, blurb, .text(.free), key, mutability, show: { .text($0) },
            store: { if case .text(let value) = $0 { value ?? Settings()[keyPath: key] } else { nil } })
    }

    /// Returns a property that is one case of an enumeration, chosen by its word.
    public static func choice<Choice: PropertyChoice>(
        _ name: String, _ blurb: String, _ key: WritableKeyPath<Settings, Choice>,
        _ mutability: Mutability = .animated
    ) -> Self {
        stored(
            name, blurb, .choice(Choice.words), key, mutability, show: { .choice($0.number) },
            store: { if case .choice(let number) = $0 { Choice(number: number) } else { nil } })
    }
}

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

/// A conversion between a setting as it is stored and the value of its property, in another unit or type.
public struct PropertyConversion<Stored, Shown> {
    let show: (Stored) -> Shown
    let store: (Shown) -> Stored

    /// Makes a conversion of two functions, each the other's inverse.
    public init(show: @escaping (Stored) -> Shown, store: @escaping (Shown) -> Stored) {
        (self.show, self.store) = (show, store)
    }
}

extension PropertyConversion where Stored == Int, Shown == Int32 {
    /// An integer.
    public static var count: Self { Self(show: { Int32(clamping: $0) }, store: { Int($0) }) }
}

extension PropertyConversion where Stored == Duration?, Shown == Int32 {
    /// A time, shown in milliseconds; nil is shown as 0.
    public static var milliseconds: Self {
        Self(
            show: { Int32(exactly: (($0 ?? .zero) / .milliseconds(1)).rounded()) ?? 0 },
            store: { $0 > 0 ? .milliseconds($0) : nil })
    }
}

extension PropertyConversion where Stored == Double?, Shown == Double {
    /// Radians, shown in degrees; nil is shown as 0.
    public static var degrees: Self {
        Self(show: { shown(($0 ?? 0) * 180 / .pi) }, store: { $0 > 0 ? $0 * .pi / 180 : nil })
    }
}

extension PropertyConversion where Stored == Float, Shown == Double {
    /// A number in single precision.
    public static var single: Self { Self(show: { shown(Double($0)) }, store: { Float($0) }) }

    /// A share in single precision, shown in percent.
    public static var percent: Self { Self(show: { shown(Double($0) * 100) }, store: { Float($0 / 100) }) }
}

/// Returns a value without the rounding error of its storage: single precision has seven significant digits.
private func shown(_ value: Double) -> Double {
    guard value.isFinite, value != 0 else { return value }
    let scale = pow(10, 6 - log10(abs(value)).rounded(.down))
    return (value * scale).rounded() / scale
}
