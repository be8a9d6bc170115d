import CommandKit
import Foundation
import Testing

/// Help, manual and completions, all made from the table of options.
struct DocumentTests {
    private let tool = SampleCommand.tool

    private func run(_ program: String, _ arguments: [String]) throws -> String {
        let (process, pipe) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [program] + arguments
        (process.standardOutput, process.standardError) = (pipe, pipe)
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: output, as: UTF8.self)
    }

    @Test func helpListsAllOptionsAndStatuses() {
        let help = tool.reference
        let options = help.matches(of: #/\n +(?:-\w, )?--([a-z]+)/#).map { String($0.1) }
        #expect(options == ["maximum", "unit", "share", "again", "list", "help"], "\(help)")
        let statuses = help.matches(of: #/\n\| (\d) /#).compactMap { Int32($0.1) }
        #expect(statuses == ExitCode.allCases.map(\.rawValue), "\(help)")
    }

    @Test func optionsOfSeveralCommandsAreDescribedOnce() {
        let commands: [any Command.Type] = [SampleCommand.self, SampleCommand.self, SampleCommand.self]
        let tool = Tool(name: "sample-tool", version: "1.2", summary: "a sample", commands: commands)
        let help = tool.reference
        #expect(help.components(separatedBy: "at most so many").count == 2, "\(help)")
        #expect(help.components(separatedBy: "--maximum").count == 2, "\(help)")
        #expect(help.contains("\n### count, count, count\n"), "\(help)")
        #expect(help.components(separatedBy: "(#options-of-several-commands)").count == 4, "\(help)")
    }

    @Test func optionsOfAnotherDocumentAreNamedOnly() {
        let commands: [any Command.Type] = [SampleCommand.self, SampleCommand.self]
        let tool = Tool(
            name: "sample-tool", version: "1.2", summary: "a sample", commands: commands,
            elsewhere: .init(document: "See [there](there.md).", names: ["share": "part share"]))
        let reference = tool.reference
        #expect(reference.contains(" names. See [there](there.md).\n"), "\(reference)")
        #expect(reference.contains(#/--share=X +part share\n/#), "\(reference)")
        #expect(!reference.contains("how much of it") && reference.contains("count twice"), "\(reference)")
        #expect(tool.manual.contains("how much of it"))
    }

    /// Returns the completions of a line's last word, by bash itself.
    private func completions(_ line: String...) throws -> [String] {
        let words = line.map { "'\($0)'" }.joined(separator: " ")
        let script = """
            \(tool.completion(for: "bash") ?? "")
            COMP_WORDS=(\(words)) COMP_CWORD=\(line.count - 1)
            _sample_tool
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        return try run("bash", ["-u", "-c", script]).split(separator: "\n").map(String.init)
    }

    @Test func bashCompletes() throws {
        #expect(try completions("sample-tool", "co") == ["count"])
        #expect(try completions("sample-tool", "--v") == ["--version"])
        #expect(try completions("sample-tool", "he") == ["help"])
        #expect(try completions("sample-tool", "help", "") == ["count"])
        #expect(try completions("sample-tool", "count", "--m") == ["--maximum"])
        #expect(try completions("sample-tool", "count", "--unit", "") == ["one", "dozen"])
        #expect(try completions("sample-tool", "count", "--unit", "=", "d") == ["dozen"])
        #expect(try completions("sample-tool", "count", "--unit", "=") == ["one", "dozen"])
        #expect(try completions("sample-tool", "count", "--list", "a") == [])
        #expect(try completions("sample-tool", "--completion", "") == ["bash", "zsh"])
    }

    @Test func zshHasEveryOption() throws {
        let text = try #require(tool.completion(for: "zsh"))
        #expect(text.hasPrefix("#compdef sample-tool\n"))
        let lines = Set(text.split(separator: "\n").map { $0.trimmingCharacters(in: [" ", "\\"]) })
        let specs = [
            "'count:count things'", "'--unit=[what is counted; it'\\''s one]:value:(one dozen)'",
            "'--list=[a file with names]:F:_files'", "'--again[count twice]'",
            "'--maximum=[at most so many]:N: '",
        ]
        #expect(lines.isSuperset(of: specs), "\(text)")
    }

    @Test func theManualIsRoff() {
        let text = tool.manual
        #expect(text.hasPrefix(".TH SAMPLE\\-TOOL 1"))
        let lines = [
            "\\fB\\-\\-maximum\\fR=\\fIN\\fR", "\\&.Two paragraphs with a back\\eslash.", ".SH EXIT STATUS",
            ".B 2",
        ]
        #expect(Set(text.split(separator: "\n").map(String.init)).isSuperset(of: lines), "\(text)")
    }
}
