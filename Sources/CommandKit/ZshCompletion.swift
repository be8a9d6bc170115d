/// What completes a tool's command lines in zsh.
struct ZshCompletion {
    let tool: Tool

    var text: String {
        let commands = tool.pages.map { "        \(quoted("\($0.name):\($0.summary)"))" }
        return """
            #compdef \(tool.name)
            local -a commands
            commands=(
            \(commands.joined(separator: "\n"))
            )
            if ((CURRENT == 2)); then
                _describe command commands
                _arguments \(Tool.options.map(spec).joined(separator: " "))
                return
            fi
            local command=$words[2]
            if [[ $command == \(Tool.helpCommand) ]]; then
                _describe command commands
                return
            fi
            shift words
            ((CURRENT--))
            case $command in
            \(tool.pages.map(clause).joined(separator: "\n"))
            esac

            """
    }

    private func clause(_ page: CommandPage) -> String {
        let specs = page.options.map { "        \(spec($0)) \\\n" }.joined()
        return "\(page.name))\n    _arguments \\\n\(specs)        '*:file:_files'\n    ;;"
    }

    private func spec(_ option: OptionDescription) -> String {
        let summary = option.summary.filter { !"[]:".contains($0) }
        let start = "--\(option.name)"
        return switch option.value {
        case .none: quoted("\(start)[\(summary)]")
        case .text(let word): quoted("\(start)=[\(summary)]:\(word): ")
        case .file(let word): quoted("\(start)=[\(summary)]:\(word):_files")
        case .word(let words): quoted("\(start)=[\(summary)]:value:(\(words.joined(separator: " ")))")
        }
    }

    private func quoted(_ text: String) -> String {
        "'\(text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''"))'"
    }
}
