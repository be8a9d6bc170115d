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

/// A program with several commands.
public struct Tool {
    let name: String
    let version: String
    /// One line about the tool.
    let summary: String
    let commands: [any Command.Type]
    /// Options that another document describes.
    let elsewhere: Elsewhere?

    /// Makes a tool; its help lists the commands in this order.
    ///
    /// - Parameter elsewhere: options that the reference names only.
    public init(
        name: String, version: String, summary: String, commands: [any Command.Type],
        elsewhere: Elsewhere? = nil
    ) {
        (self.name, self.version, self.summary, self.commands) = (name, version, summary, commands)
        self.elsewhere = elsewhere
    }

    /// Options that another document describes, and their names there.
    public struct Elsewhere: Sendable {
        let document: String
        let names: [String: String]

        /// Makes a list of options.
        ///
        /// - Parameters:
        ///   - document: a sentence in Markdown about where they are described.
        ///   - names: names in the other document by the options' names without dashes.
        public init(document: String, names: [String: String]) {
            (self.document, self.names) = (document, names)
        }
    }

    /// Runs the command that the words name.
    ///
    /// - Parameter words: the words behind the program's name.
    /// - Returns: the program's exit status.
    public func run(_ words: [String]) -> Int32 {
        let command = commands.first { $0.name == words.first }
        do throws(ToolError) {
            if let command { return try command.run(Array(words.dropFirst()), of: name) }
            return try runItself(words)
        } catch {
            printDiagnostic("\(command.map { "\(name) \($0.name)" } ?? name): \(error.message)")
            return error.status
        }
    }

    // MARK: - Without a command

    private func runItself(_ words: [String]) throws(ToolError) -> Int32 {
        if words.first == Self.helpCommand {
            return try printHelp(words.dropFirst().filter { !asksForHelp([$0]) })
        }
        if let word = words.first, !word.hasPrefix("-") {
            throw .usage("there is no command \(word)")
        }
        let given =
            asksForHelp(words) ? ["help": ""] : try OptionParser(Self.options).parse(words, of: name).values
        guard let page = try page(given) else { throw .usage("name a command") }
        try printText(page)
        return ExitCode.success.rawValue
    }

    /// Prints the help of the tool for `help`, and that of a command for `help COMMAND`.
    private func printHelp(_ words: [String]) throws(ToolError) -> Int32 {
        let page = pages.first { $0.name == words.first }
        guard page != nil || words.isEmpty, words.count < 2 else {
            throw .usage("there is no command \(words.joined(separator: " "))")
        }
        try printText(page?.help(name) ?? help)
        return ExitCode.success.rawValue
    }

    private func page(_ given: [String: String]) throws(ToolError) -> String? {
        if given["help"] != nil { return help }
        if given["version"] != nil { return "\(name) \(version)\n" }
        if given["manual"] != nil { return manual }
        if given["reference"] != nil { return reference }
        guard let shell = given["completion"] else { return nil }
        guard let text = completion(for: shell) else {
            throw .usage("--completion is bash or zsh, not \(shell)")
        }
        return text
    }

    /// The word before the name of a command whose help is printed, as in other tools.
    static let helpCommand = "help"

    static let options = [
        OptionDescription.help,
        OptionDescription(name: "version", summary: "print the version"),
        OptionDescription(
            name: "completion", value: .word(["bash", "zsh"]),
            summary: "print a completion script for the shell"),
        OptionDescription(name: "manual", summary: "print the manual page, as roff"),
        OptionDescription(name: "reference", summary: "print the help of all commands, as Markdown"),
    ]

    var pages: [CommandPage] { commands.map { CommandPage($0) } }

    // MARK: - Documents

    /// The manual page, as roff.
    public var manual: String { ManualPage(tool: self).text }

    /// Returns the completion script for `bash` or `zsh`; nil for other shells.
    public func completion(for shell: String) -> String? {
        switch shell {
        case "bash": BashCompletion(tool: self).text
        case "zsh": ZshCompletion(tool: self).text
        default: nil
        }
    }

    /// The text of `--help` without a command.
    public var help: String {
        let width = pages.map(\.name.count).max() ?? 0
        let list = pages.map { "  \($0.name.padded(to: width))  \($0.summary)" }
        let above = "\(summary.asSentence)\n\nCommands:\n\(list.joined(separator: "\n"))"
        return OptionParser(Self.options).help(
            of: name, arguments: "COMMAND [ARGUMENT...]", above: above,
            below: "\(name) help COMMAND describes a command.")
    }

    /// The help of all commands, as Markdown.
    public var reference: String { Reference(tool: self).text }
}
