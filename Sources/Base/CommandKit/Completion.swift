/// The script that completes a tool's command lines in bash.
struct BashCompletion {
    let tool: Tool

    var text: String {
        let function = "_" + tool.name.map { $0.isLetter || $0.isNumber ? String($0) : "_" }.joined()
        return """
            # bash completion for \(tool.name)
            \(function)() {
                local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} words=
                COMPREPLY=()
                # Bash splits --option=value into three words.
                if [[ $word == "=" ]]; then
                    word=
                elif [[ $before == "=" ]]; then
                    before=${COMP_WORDS[COMP_CWORD - 2]}
                fi
                if ((COMP_CWORD == 1)); then
                    words="\(([Tool.helpCommand] + commands + names(Tool.options)).joined(separator: " "))"
                elif [[ ${COMP_WORDS[1]} == \(Tool.helpCommand) ]]; then
                    words="\(commands.joined(separator: " "))"
                else
                    case "${COMP_WORDS[1]} $before" in
            \(values.joined(separator: "\n"))
                    *)
                        [[ $word == -* ]] && case ${COMP_WORDS[1]} in
            \(options.joined(separator: "\n"))
                        esac
                        ;;
                    esac
                fi
                # Without words the shell offers files.
                [[ -z $words ]] || mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
            }
            complete -o default -F \(function) \(tool.name)

            """
    }

    private var commands: [String] { tool.commands.map { $0.name } }

    /// Cases for the values behind options.
    private var values: [String] {
        tool.pages.flatMap { page in page.options.compactMap { value($0, page.name) } }
            + Tool.options.compactMap { option in
                guard case .word(let words) = option.value else { return nil }
                return
                    "        \"--\(option.name) --\(option.name)\") words=\"\(words.joined(separator: " "))\" ;;"
            }
    }

    private func value(_ option: OptionDescription, _ command: String) -> String? {
        switch option.value {
        case .none: nil
        case .word(let words):
            "        \"\(command) --\(option.name)\") words=\"\(words.joined(separator: " "))\" ;;"
        case .file, .text: "        \"\(command) --\(option.name)\") ;;"
        }
    }

    private var options: [String] {
        tool.pages.map { "            \($0.name)) words=\"\(names($0.options).joined(separator: " "))\" ;;" }
    }

    private func names(_ options: [OptionDescription]) -> [String] { options.map { "--\($0.name)" } }
}

/// The script that completes a tool's command lines in zsh.
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
