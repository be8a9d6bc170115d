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
