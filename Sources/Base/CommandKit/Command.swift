/// One of a tool's commands: `tool NAME [OPTION...] ARGUMENTS`.
public protocol Command {
    static var name: String { get }
    /// One line for the list of commands.
    static var summary: String { get }
    /// The arguments behind the options: `IN OUT`.
    static var arguments: String { get }
    /// Information for users besides the options; paragraphs are separated by empty lines.
    static var details: String { get }
    static var options: [Option<Self>] { get }

    /// Makes a command with the default values of all options.
    init()

    /// Executes the command.
    ///
    /// - Parameter arguments: the arguments that are not options.
    /// - Returns: the program's exit status.
    func run(_ arguments: [String]) throws(ToolError) -> Int32
}

extension Command {
    /// Reads the options, and runs the command or prints its help.
    static func run(_ words: [String], of tool: String) throws(ToolError) -> Int32 {
        if asksForHelp(words) {
            try printText(CommandPage(self).help(tool))
            return ExitCode.success.rawValue
        }
        let (command, rest) = try parse(words, of: tool)
        return try command.run(rest)
    }

    /// Reads the options of a command line.
    ///
    /// - Parameters:
    ///   - words: the words behind the command's name.
    ///   - tool: name of the program in messages.
    /// - Returns: the command, and the arguments that are not options.
    public static func parse(
        _ words: [String], of tool: String
    ) throws(ToolError) -> (command: Self, arguments: [String]) {
        let parsed = try OptionParser(CommandPage(self).options).parse(words, of: "\(tool) \(name)")
        var command = Self()
        for option in options {
            guard let value = parsed.values[option.name] else { continue }
            guard !value.isEmpty || option.description.value == .none else {
                throw .usage("--\(option.name) needs a value")
            }
            try option.apply(&command, value)
        }
        for word in parsed.rest { try checkDashes(word) }
        return (command, parsed.rest)
    }

    /// Throws for an argument that is an option without its dashes.
    private static func checkDashes(_ word: String) throws(ToolError) {
        let name = word.prefix { $0 != "=" }
        guard options.contains(where: { $0.name == name }), !FileSystem.exists(word) else { return }
        throw .usage("there is no file \(word): did you mean --\(word)? A new file or folder is ./\(word)")
    }
}

/// Whether the options contain `--help` or `-h`, which comes before errors in other options.
func asksForHelp(_ words: [String]) -> Bool {
    words.prefix { $0 != "--" }.contains { $0 == "--help" || $0 == "-h" }
}

/// The documentation of a command.
struct CommandPage {
    let name: String
    let summary: String
    let arguments: String
    let details: String
    let options: [OptionDescription]

    init(_ command: (some Command).Type) {
        (name, summary) = (command.name, command.summary)
        (arguments, details) = (command.arguments, command.details)
        options = command.options.map(\.description) + [.help]
    }

    /// Returns the text of `--help`.
    func help(_ tool: String) -> String {
        let width = ExitCode.table.map(\.status.count).max() ?? 0
        let statuses = ExitCode.table
            .map { "  \($0.status.padded(to: width))  \($0.meaning)" }.joined(separator: "\n")
        return OptionParser(options).help(
            of: "\(tool) \(name)", arguments: arguments, above: "\(summary.asSentence)\n\n\(details)",
            below: "Exit status:\n\(statuses)")
    }
}

extension String {
    /// Returns the text with spaces behind it, up to a width.
    func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }

    /// The text with a capital letter and a full stop.
    var asSentence: String { prefix(1).uppercased() + dropFirst() + "." }
}
