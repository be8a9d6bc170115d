/// An option of a command: its description, and the function that stores its value.
public struct Option<Settings> {
    let description: OptionDescription
    /// Parses and stores a value; empty for an option without a value.
    package let apply: (inout Settings, String) throws(ToolError) -> Void

    /// Makes an option with a value that `apply` parses and stores.
    ///
    /// - Parameters:
    ///   - name: name without dashes.
    ///   - apply: throws `ToolError.usage` for an invalid value.
    public init(
        _ name: String, _ value: OptionValue, _ summary: String,
        apply: @escaping (inout Settings, String) throws(ToolError) -> Void
    ) {
        description = OptionDescription(name: name, value: value, summary: summary)
        self.apply = apply
    }

    /// The name without dashes.
    public var name: String { description.name }

    /// Returns this option, which also records its words as they were given, for another program.
    public func recorded(in path: WritableKeyPath<Settings, [String]>) -> Option {
        let (apply, name, value) = (apply, description.name, description.value)
        return Option(name, value, description.summary) {
            (settings: inout Settings, text: String) throws(ToolError) in
            try apply(&settings, text)
            settings[keyPath: path].append(value == .none ? "--\(name)" : "--\(name)=\(text)")
        }
    }

    /// Returns this option for settings that are a part of others.
    public func inside<Outer>(_ path: WritableKeyPath<Outer, Settings>) -> Option<Outer> {
        let apply = apply
        return Option<Outer>(description.name, description.value, description.summary) {
            (outer: inout Outer, text: String) throws(ToolError) in try apply(&outer[keyPath: path], text)
        }
    }
}

extension Option {
    /// Makes an option without a value, which sets `path` to `setting`.
    public static func flag<Value>(
        _ name: String, _ summary: String, _ path: WritableKeyPath<Settings, Value>, to setting: Value
    ) -> Option {
        Option(name, .none, summary) {
            (settings: inout Settings, _: String) throws(ToolError) in settings[keyPath: path] = setting
        }
    }

    /// Makes an option without a value, which sets `path` to true.
    public static func flag(
        _ name: String, _ summary: String, _ path: WritableKeyPath<Settings, Bool>
    ) -> Option { flag(name, summary, path, to: true) }

    /// Makes an option whose value is one of several words.
    public static func choice(
        _ name: String, _ words: [String], _ summary: String, _ path: WritableKeyPath<Settings, String>
    ) -> Option {
        Option(name, .word(words), summary) { (settings: inout Settings, text: String) throws(ToolError) in
            guard words.contains(text) else {
                throw .usage("--\(name) is \(words.joined(separator: ", ")), not \(text)")
            }
            settings[keyPath: path] = text
        }
    }

    /// Makes an option whose value is one of the words of a type.
    public static func choice<Word: CaseIterable & RawRepresentable<String>>(
        _ name: String, _ summary: String, _ path: WritableKeyPath<Settings, Word>
    ) -> Option { choice(name, summary) { $0[keyPath: path] = $1 } }

    /// Makes an option whose value is one of the words of a type, and nil unless it is given.
    public static func choice<Word: CaseIterable & RawRepresentable<String>>(
        _ name: String, _ summary: String, _ path: WritableKeyPath<Settings, Word?>
    ) -> Option { choice(name, summary) { $0[keyPath: path] = $1 } }

    private static func choice<Word: CaseIterable & RawRepresentable<String>>(
        _ name: String, _ summary: String, set: @escaping (inout Settings, Word) -> Void
    ) -> Option {
        let words = Word.allCases.map(\.rawValue)
        return Option(name, .word(words), summary) {
            (settings: inout Settings, text: String) throws(ToolError) in
            guard let word = Word(rawValue: text) else {
                throw .usage("--\(name) is \(words.joined(separator: ", ")), not \(text)")
            }
            set(&settings, word)
        }
    }

    /// Makes an option whose value is a number in `range`.
    public static func number(
        _ name: String, _ placeholder: String, in range: ClosedRange<Double>, _ summary: String,
        _ path: WritableKeyPath<Settings, Double>
    ) -> Option {
        Option(name, .text(placeholder), summary) {
            (settings: inout Settings, text: String) throws(ToolError) in
            settings[keyPath: path] = try CommandKit.number(text, in: range, of: name)
        }
    }

    /// Makes an option whose value is a whole number in `range`.
    public static func integer(
        _ name: String, _ placeholder: String, in range: ClosedRange<Int>, _ summary: String,
        _ path: WritableKeyPath<Settings, Int>
    ) -> Option {
        Option(name, .text(placeholder), summary) {
            (settings: inout Settings, text: String) throws(ToolError) in
            guard let number = Int(text), range.contains(number) else {
                throw .usage(
                    "--\(name) takes a whole number from \(range.lowerBound) to \(range.upperBound), not \(text)"
                )
            }
            settings[keyPath: path] = number
        }
    }
}

/// Parses a number in `range`, the value of the option `name`.
public func number(_ text: String, in range: ClosedRange<Double>, of name: String) throws(ToolError) -> Double
{
    guard let number = Double(text), range.contains(number) else {
        let (low, high) = (range.lowerBound.text(decimals: 0), range.upperBound.text(decimals: 0))
        throw .usage("--\(name) takes a number from \(low) to \(high), not \(text)")
    }
    return number
}

/// Parses a time, the value of the option `name`.
///
/// - Parameter text: seconds, `m:ss` or `h:mm:ss`, with or without a fraction.
/// - Returns: seconds.
public func seconds(_ text: String, of name: String) throws(ToolError) -> Double {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Double($0) }
    // Longer than any video, and short enough for whole nanoseconds.
    let longest = 1e9
    var time = 0.0
    for (place, part) in parts.enumerated() {
        guard let part, part >= 0, part < (place == 0 ? longest : 60), parts.count <= 3 else {
            throw .usage("--\(name) takes seconds or h:mm:ss, not \(text)")
        }
        time = time * 60 + part
    }
    return time
}

/// The kind of an option's value.
public enum OptionValue: Equatable, Sendable {
    case none
    /// Any text; the associated word stands for the value in help.
    case text(String)
    /// A file name; the associated word stands for the value in help.
    case file(String)
    /// One of these words.
    case word([String])

    /// The word that stands for the value in help.
    var placeholder: String? {
        switch self {
        case .none: nil
        case .text(let word), .file(let word): word
        case .word(let words): words.joined(separator: "|")
        }
    }
}

/// The description of an option in help, manual and completions.
public struct OptionDescription: Equatable, Sendable {
    let name: String
    let letter: Character?
    let value: OptionValue
    let summary: String

    /// Makes a description.
    ///
    /// - Parameters:
    ///   - name: name without dashes.
    ///   - letter: a short form in ASCII.
    ///   - summary: a few words for help.
    public init(name: String, letter: Character? = nil, value: OptionValue = .none, summary: String) {
        (self.name, self.letter, self.value, self.summary) = (name, letter, value, summary)
    }

    static let help = OptionDescription(name: "help", letter: "h", summary: "print this")
}
