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
