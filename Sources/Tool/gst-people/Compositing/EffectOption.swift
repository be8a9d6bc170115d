import CommandKit
import PeopleSettings
import Properties

/// An option that sets a property of `personsegment` or `blendmask`: a row of the table of properties.
struct EffectOption {
    let name: String
    let element: String
    private let facts: PropertyFacts
    private let option: PropertyOption

    /// Returns nil for a property without an option of its own.
    private init?(_ row: PropertyTable.Row) {
        guard row.facts.isOffered(by: .tool), let option = row.facts.option, let name = option.name else {
            return nil
        }
        (self.name, element, facts, self.option) = (name, row.element, row.facts, option)
    }

    var property: String { facts.name }

    private static let every = PropertyTable.rows.compactMap { EffectOption($0) }

    /// The options of every command that replaces the background.
    static let all = every.filter { $0.option.scope != .windows }
    /// The options for commands without a background of their own.
    static let overlay = every.filter { $0.option.scope == .all }
    /// The options for commands that show the frames in a window.
    static let window = every.filter { $0.option.scope == .windows }
    /// The options of `gst-people lift`.
    static let lifting = every.filter { $0.facts.isOffered(by: .lifting) }
    /// The elements' tables of properties, which describe the options.
    static let described = Tool.Elsewhere(
        document: "Options beside which an element and a property stand set that property: see the tables of "
            + "[personsegment](elements.md#personsegment) and [blendmask](elements.md#blendmask).",
        names: Dictionary(
            all.map { ($0.name, "\($0.element) \($0.property)") }, uniquingKeysWith: { first, _ in first }))
}

// MARK: - Values

extension EffectOption {
    /// The option of a command.
    var command: Option<Compositing> {
        Option(name, value, summary) { (compositing: inout Compositing, text: String) throws(ToolError) in
            let value = try checked(text)
            try compositing.set(.init(element: element, property: property, value: value, isText: isText))
        }
    }

    private var value: OptionValue {
        switch facts.kind {
        case .bool: .none
        case .int, .int64, .double: .text(option.word ?? facts.control?.unit?.word ?? "N")
        case .choice: .word(words)
        case .color: .text("RRGGBB")
        case .text(.ids): .text("N,...")
        case .text(.point): .text("X,Y")
        case .text(.ratio): .text("W:H")
        case .text(.file): .file("F")
        case .text(.free): .text(option.word ?? "TEXT")
        }
    }

    private var words: [String] { facts.words(for: .tool).map(\.word) }

    /// The description, with the range of a number.
    private var summary: String {
        guard let range = facts.kind.range else { return option.summary }
        let bounds = [range.lowerBound, range.upperBound].map { $0.text(decimals: 0) }
        return "\(option.summary): \(bounds.joined(separator: " to "))"
    }

    /// Whether the option has no value.
    var isFlag: Bool {
        if case .bool = facts.kind { true } else { false }
    }

    /// Whether the property is a text, which GStreamer takes literally.
    private var isText: Bool {
        if case .text = facts.kind { true } else { false }
    }

    /// Checks a value and returns the property's text.
    ///
    /// - Throws: for a value that the property does not accept.
    private func checked(_ text: String) throws(ToolError) -> String {
        switch facts.kind {
        case .bool: return "true"
        case .int, .int64: return try checkedNumber(text, isWhole: true)
        case .double: return try checkedNumber(text, isWhole: false)
        case .choice:
            guard words.contains(text) else {
                throw .usage("--\(name) is \(words.joined(separator: ", ")), not \(text)")
            }
            return text
        case .color: return "\(try color(text, of: name))"
        case .text(.ids): return try ids(text, of: name).map { "\($0)" }.joined(separator: ",")
        case .text(.point): return try Place(text, of: name).description
        case .text(.ratio):
            guard PropertyText.ratio(text) != nil else {
                throw .usage("--\(name) is a width and a height, such as 9:16")
            }
            return text
        case .text(.file), .text(.free): return text
        }
    }

    private func checkedNumber(_ text: String, isWhole: Bool) throws(ToolError) -> String {
        let value = try number(text, in: facts.kind.range ?? 0...0, of: name)
        guard !isWhole || Int(text) != nil else {
            throw .usage("--\(name) takes a whole number, not \(text)")
        }
        return value == value.rounded() ? value.text(decimals: 0) : text
    }

    /// Returns the option as a word of a command line; nil for a value that it cannot express.
    ///
    /// - Parameter text: a value as GStreamer writes it.
    func word(_ text: String) -> String? {
        switch facts.kind {
        case .bool: text == "true" ? "--\(name)" : nil
        case .color: UInt32(text).map { "--\(name)=\(PropertyText.digits(of: $0))" }
        case .int, .int64, .double, .choice, .text: "--\(name)=\(text)"
        }
    }
}

extension PropertyUnit {
    /// The word that stands for a value in help.
    fileprivate var word: String {
        switch self {
        case .percent: "PERCENT"
        case .stops: "STOPS"
        }
    }
}

/// Parses ids of people, the value of the option `name`.
func ids(_ text: String, of name: String) throws(ToolError) -> [Int] {
    guard let ids = PropertyText.ids(text) else {
        throw .usage("--\(name) takes ids of people such as 1,3, not \(text)")
    }
    return ids
}
