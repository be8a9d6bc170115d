/// The help of a tool's commands as a page of Markdown: what several commands share is described once.
struct Reference {
    let tool: Tool

    private static let heading = "Options of several commands"

    /// Options and paragraphs that are the same in the same commands.
    private struct Group {
        let commands: [String]
        var options: [OptionDescription] = []
        var paragraphs: [String] = []
    }

    var text: String {
        let groups = sharedParts()
        let head =
            "`\(tool.name) COMMAND --help` prints all options. Those of several commands are at the end, "
            + "below the commands' names." + (tool.elsewhere.map { " \($0.document)" } ?? "")
        let sections = tool.pages.map { section($0, groups) }
        let parts = ["## \(Self.heading)\n"] + groups.map(shared) + [statuses]
        return (["# Commands\n\n\(head)\n"] + sections + parts).joined(separator: "\n")
    }

    private func sharedParts() -> [Group] {
        var groups: [Group] = []
        for option in unique(tool.pages.flatMap(\.options)) {
            let commands = tool.pages.filter { $0.options.contains(option) }.map(\.name)
            add(option, to: \.options, of: commands, in: &groups)
        }
        for paragraph in unique(tool.pages.flatMap(\.paragraphs)) {
            let commands = tool.pages.filter { $0.paragraphs.contains(paragraph) }.map(\.name)
            add(paragraph, to: \.paragraphs, of: commands, in: &groups)
        }
        return groups
    }

    private func unique<Part: Equatable>(_ parts: [Part]) -> [Part] {
        parts.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    /// Adds a part to the group of its commands, if it has several.
    private func add<Part>(
        _ part: Part, to parts: WritableKeyPath<Group, [Part]>, of commands: [String],
        in groups: inout [Group]
    ) {
        guard commands.count > 1 else { return }
        let index = groups.firstIndex { $0.commands == commands } ?? groups.endIndex
        if index == groups.endIndex { groups.append(Group(commands: commands)) }
        groups[index][keyPath: parts].append(part)
    }

    /// The section of what a group of commands shares.
    private func shared(_ group: Group) -> String {
        let options = group.options.isEmpty ? [] : [list(group.options)]
        let parts = (group.paragraphs + options).map { $0.indented + "\n" }
        return "### \(group.commands.joined(separator: ", "))\n\n\(parts.joined(separator: "\n"))"
    }

    private func list(_ options: [OptionDescription]) -> String {
        let names = options.map { "--\($0.name)" + ($0.value.placeholder.map { "=\($0)" } ?? "") }
        let width = names.map(\.count).max() ?? 0
        return zip(names, options).map { name, option in
            "\(name.padded(to: width))  \(tool.elsewhere?.names[option.name] ?? option.summary)"
        }.joined(separator: "\n")
    }

    /// The help of a command, without what others share.
    private func section(_ page: CommandPage, _ groups: [Group]) -> String {
        let own = page.options.filter { !groups.flatMap(\.options).contains($0) }
        let paragraphs = page.paragraphs.filter { !groups.flatMap(\.paragraphs).contains($0) }
        let help = OptionParser(own).help(
            of: "\(tool.name) \(page.name)", arguments: page.arguments,
            above: ([page.summary.asSentence] + paragraphs).joined(separator: "\n\n"), below: "")
        let text = "## \(tool.name) \(page.name)\n\n\(help.indented)\n"
        guard groups.contains(where: { $0.commands.contains(page.name) }) else { return text }
        return text + "\nAlso [\(Self.heading.lowercased())](#\(Self.anchor)).\n"
    }

    private static var anchor: String { heading.lowercased().split(separator: " ").joined(separator: "-") }

    private var statuses: String {
        let rows = ExitCode.table.map { "| \($0.status) | \($0.meaning) |" }.joined(separator: "\n")
        return "## Exit status\n\n| status | meaning |\n|---|---|\n\(rows)\n"
    }
}

extension CommandPage {
    fileprivate var paragraphs: [String] { details.split(separator: "\n\n").map(String.init) }
}

extension String {
    /// The lines as a block of code in Markdown, without empty lines at the end.
    fileprivate var indented: String {
        var lines = split(separator: "\n", omittingEmptySubsequences: false)
        while lines.last?.isEmpty == true { lines.removeLast() }
        return lines.map { $0.isEmpty ? "" : "    \($0)" }.joined(separator: "\n")
    }
}

/// The manual page of a tool, as roff with the `man` macros.
struct ManualPage {
    let tool: Tool

    var text: String {
        let heading = [
            ".TH \(tool.name.uppercased().roff) 1 \"\" \"\(tool.name.roff) \(tool.version.roff)\" \"User Commands\"",
            ".SH NAME", "\(tool.name.roff) \\- \(tool.summary.roff)",
            ".SH SYNOPSIS",
            ".B \(tool.name.roff)", "\\fICOMMAND\\fR [\\fIOPTION\\fR...] [\\fIARGUMENT\\fR...]",
        ]
        let commands = [".SH COMMANDS"] + tool.pages.flatMap(section)
        let options = [".SH OPTIONS", "Without a command:"] + Tool.options.flatMap(entry)
        let statuses = ExitCode.table.flatMap { [".TP", ".B \($0.status.roff)", $0.meaning.roff] }
        let lines = heading + commands + options + [".SH EXIT STATUS"] + statuses
        return lines.joined(separator: "\n") + "\n"
    }

    private func section(_ page: CommandPage) -> [String] {
        let heading = [
            ".SS \"\(tool.name.roff) \(page.name.roff) \\fR[\\fIOPTION\\fR...] \\fI\(page.arguments.roff)\\fR\"",
            page.summary.asSentence.roff,
        ]
        let details = page.details.split(separator: "\n\n").flatMap { [".PP", String($0).roff] }
        return heading + details + page.options.flatMap(entry)
    }

    private func entry(_ option: OptionDescription) -> [String] {
        let letter = option.letter.map { "\\fB\\-\($0)\\fR, " } ?? ""
        let value = option.value.placeholder.map { "=\\fI\($0.roff)\\fR" } ?? ""
        return [".TP", "\(letter)\\fB\\-\\-\(option.name.roff)\\fR\(value)", option.summary.roff]
    }
}

extension String {
    /// The text in roff's syntax: hyphens that are copied as such, and no line that is a request.
    fileprivate var roff: String {
        let lines = split(separator: "\n").map { line in
            var text = line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" : ""
            for character in line {
                switch character {
                case "\\": text += "\\e"
                case "-": text += "\\-"
                case "\"": text += "\\(dq"
                default: text.append(character)
                }
            }
            return text
        }
        return lines.joined(separator: "\n")
    }
}
