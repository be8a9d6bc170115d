import CGStreamer

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

/// Parses command lines with GLib's `GOption`.
///
/// GLib keeps pointers to the names and to the memory for the values. This object owns that memory, and lives
/// as long as GLib's parser.
public final class OptionParser {
    /// The contents of a command line.
    public struct Result {
        /// Values by the options' names; empty for options without a value.
        public internal(set) var values: [String: String] = [:]
        /// The arguments that are not options.
        public internal(set) var rest: [String] = []
    }

    private let options: [OptionDescription]
    private var strings: [UnsafeMutablePointer<CChar>] = []
    /// Texts in which GLib stores the values of options; freed by this object.
    private let texts: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
    /// Flags in which GLib stores whether options without a value were given.
    private let flags: UnsafeMutablePointer<gboolean>
    /// The list in which GLib stores the arguments that are not options.
    private let rest: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>

    /// Makes a parser for these options.
    public init(_ options: [OptionDescription]) {
        self.options = options
        texts = .allocate(capacity: options.count)
        texts.initialize(repeating: nil, count: options.count)
        flags = .allocate(capacity: options.count)
        flags.initialize(repeating: 0, count: options.count)
        rest = .allocate(capacity: 1)
        rest.initialize(to: nil)
    }

    deinit {
        for index in options.indices { g_free(texts[index]) }
        g_strfreev(rest.pointee)
        for string in strings { g_free(string) }
        texts.deallocate()
        flags.deallocate()
        rest.deallocate()
    }

    /// Parses the words behind a program's name; to be called once.
    ///
    /// - Parameter program: name of the program in messages.
    /// - Throws: `ToolError.usage`.
    public func parse(_ words: [String], of program: String) throws(ToolError) -> Result {
        try checkFlags(words)
        let context = makeContext(arguments: "")
        defer { g_option_context_free(context) }
        var arguments = vector([program] + words)
        defer { g_strfreev(arguments) }
        var error: UnsafeMutablePointer<GError>?
        guard g_option_context_parse_strv(context, &arguments, &error) != 0 else {
            defer { g_clear_error(&error) }
            throw .usage(error.map { String(cString: $0.pointee.message) } ?? "wrong options")
        }
        return result
    }

    /// Throws for a value of an option that takes none: GLib would accept `--force=no` as `--force`.
    private func checkFlags(_ words: [String]) throws(ToolError) {
        for option in options where option.value == .none {
            guard words.prefix(while: { $0 != "--" }).contains(where: { $0.hasPrefix("--\(option.name)=") })
            else { continue }
            throw .usage("--\(option.name) takes no value")
        }
    }

    /// Returns the text of `--help`.
    ///
    /// - Parameters:
    ///   - program: name of the program, at the beginning of the first line.
    ///   - arguments: the arguments behind the options.
    ///   - above: text above the list of options.
    ///   - below: text below the list of options.
    public func help(of program: String, arguments: String, above: String, below: String) -> String {
        let context = makeContext(arguments: arguments)
        defer { g_option_context_free(context) }
        g_option_context_set_summary(context, above)
        g_option_context_set_description(context, below)
        // GLib begins the first line with this name.
        let before = g_get_prgname().map { String(cString: $0) }
        g_set_prgname(program)
        defer { g_set_prgname(before) }
        guard let text = g_option_context_get_help(context, 1, nil) else { return above }
        defer { g_free(text) }
        return String(cString: text)
    }

    // MARK: - Memory

    private func makeContext(arguments: String) -> OpaquePointer? {
        let context = g_option_context_new(arguments.isEmpty ? nil : arguments)
        // The options contain help already.
        g_option_context_set_help_enabled(context, 0)
        let entries = options.indices.map(entry) + [restEntry, GOptionEntry()]
        // GLib copies the entries, but not the memory that they point to.
        g_option_context_add_main_entries(context, entries, nil)
        return context
    }

    private func entry(_ index: Int) -> GOptionEntry {
        let option = options[index]
        var entry = GOptionEntry()
        entry.long_name = string(option.name)
        entry.short_name = option.letter?.asciiValue.map { gchar(bitPattern: $0) } ?? 0
        entry.description = string(option.summary)
        if let placeholder = option.value.placeholder {
            // GLib takes only this kind of text as it is in every locale.
            entry.arg = G_OPTION_ARG_FILENAME
            entry.arg_data = gpointer(texts + index)
            entry.arg_description = string(placeholder)
        } else {
            entry.arg = G_OPTION_ARG_NONE
            entry.arg_data = gpointer(flags + index)
        }
        return entry
    }

    /// The entry for the arguments that are not options, including those behind `--`.
    private var restEntry: GOptionEntry {
        var entry = GOptionEntry()
        entry.long_name = string("")
        entry.arg = G_OPTION_ARG_FILENAME_ARRAY
        entry.arg_data = gpointer(rest)
        return entry
    }

    private func string(_ text: String) -> UnsafePointer<CChar>? {
        guard let copy = g_strdup(text) else { return nil }
        strings.append(copy)
        return UnsafePointer(copy)
    }

    private var result: Result {
        var result = Result()
        for (index, option) in options.enumerated() {
            if let text = texts[index] {
                result.values[option.name] = String(cString: text)
            } else if flags[index] != 0 {
                result.values[option.name] = ""
            }
        }
        var next = rest.pointee
        while let argument = next?.pointee {
            result.rest.append(String(cString: argument))
            next = next.map { $0 + 1 }
        }
        return result
    }
}

/// Returns words in memory of GLib, which GLib frees.
private func vector(_ words: [String]) -> UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? {
    let size = gsize(words.count + 1) * gsize(MemoryLayout<UnsafeMutablePointer<CChar>?>.stride)
    let vector = g_malloc0(size)?.assumingMemoryBound(to: UnsafeMutablePointer<CChar>?.self)
    for (index, word) in words.enumerated() { vector?[index] = g_strdup(word) }
    return vector
}
