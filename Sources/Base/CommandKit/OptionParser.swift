import CGStreamer

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
