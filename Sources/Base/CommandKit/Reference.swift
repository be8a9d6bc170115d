/// The help of a tool's commands as a page of Markdown: options that several commands share are described once.
struct Reference {
    let tool: Tool

    /// Options of fewer commands are described in each: a reader finds these faster there.
    private static let fewestCommands = 3
    private static let heading = "Options of several commands"

    /// Options that have the same description in the same commands.
    private struct Group {
        let commands: [String]
        var options: [OptionDescription]
    }

    var text: String {
        let groups = sharedOptions()
        let head =
            "`\(tool.name) COMMAND --help` prints all options. Those of several commands are at the end."
        let sections = tool.pages.map { section($0, groups) }
        let shared = groups.map { group in
            "### \(group.commands.joined(separator: ", "))\n\n\(list(group.options).indented)\n"
        }
        return (["# Commands\n\n\(head)\n"] + sections + ["## \(Self.heading)\n"] + shared + [statuses])
            .joined(separator: "\n")
    }

    private func sharedOptions() -> [Group] {
        var groups: [Group] = []
        for option in tool.pages.flatMap(\.options) {
            let commands = tool.pages.filter { $0.options.contains(option) }.map(\.name)
            let isListed = groups.contains { $0.options.contains(option) }
            guard commands.count >= Self.fewestCommands, !isListed else { continue }
            if let index = groups.firstIndex(where: { $0.commands == commands }) {
                groups[index].options.append(option)
            } else {
                groups.append(Group(commands: commands, options: [option]))
            }
        }
        return groups
    }

    private func list(_ options: [OptionDescription]) -> String {
        let names = options.map { "--\($0.name)" + ($0.value.placeholder.map { "=\($0)" } ?? "") }
        let width = names.map(\.count).max() ?? 0
        return zip(names, options).map { "\($0.padded(to: width))  \($1.summary)" }.joined(separator: "\n")
    }

    /// The help of a command with its own options.
    private func section(_ page: CommandPage, _ groups: [Group]) -> String {
        let shared = groups.flatMap(\.options)
        let own = page.options.filter { !shared.contains($0) }
        let help = OptionParser(own).help(
            of: "\(tool.name) \(page.name)", arguments: page.arguments,
            above: "\(page.summary.asSentence)\n\n\(page.details)", below: "")
        let text = "## \(tool.name) \(page.name)\n\n\(help.indented)\n"
        let used = groups.filter { $0.commands.contains(page.name) }
        guard !used.isEmpty else { return text }
        let names = used.flatMap(\.options).map { "`--\($0.name)`" }.joined(separator: ", ")
        return text + "\nAlso [\(Self.heading.lowercased())](#\(Self.anchor)): \(names).\n"
    }

    private static var anchor: String { heading.lowercased().split(separator: " ").joined(separator: "-") }

    private var statuses: String {
        let rows = ExitCode.table.map { "| \($0.status) | \($0.meaning) |" }.joined(separator: "\n")
        return "## Exit status\n\n| status | meaning |\n|---|---|\n\(rows)\n"
    }
}

extension String {
    /// The lines as a block of code in Markdown, without empty lines at the end.
    fileprivate var indented: String {
        var lines = split(separator: "\n", omittingEmptySubsequences: false)
        while lines.last?.isEmpty == true { lines.removeLast() }
        return lines.map { $0.isEmpty ? "" : "    \($0)" }.joined(separator: "\n")
    }
}
