import CommandKit
import Foundation
import Testing

struct OptionParserTests {
    private static let options = [
        OptionDescription(name: "blur", value: .text("N"), summary: "how much"),
        OptionDescription(name: "force", letter: "f", summary: "write over files"),
    ]

    private func parse(_ words: String...) throws(ToolError) -> OptionParser.Result {
        try OptionParser(Self.options).parse(words, of: "tool")
    }

    private func problem(_ words: [String]) -> ToolError? {
        do throws(ToolError) {
            _ = try OptionParser(Self.options).parse(words, of: "tool")
            return nil
        } catch { return error }
    }

    @Test func readsBothFormsOfValues() throws {
        #expect(try parse("--blur=5").values == ["blur": "5"])
        #expect(try parse("--blur", "5").values == ["blur": "5"])
        #expect(try parse("--blur=").values == ["blur": ""])
        #expect(try parse("--blur=1", "--blur=2").values == ["blur": "2"])
        #expect(try parse().values == [:])
    }

    @Test func optionsStandAnywhere() throws {
        let parsed = try parse("in", "--force", "out", "--blur", "-5")
        #expect(parsed.values == ["force": "", "blur": "-5"])
        #expect(parsed.rest == ["in", "out"])
        #expect(try parse("-f").values == ["force": ""])
    }

    @Test func namesStayUnchanged() throws {
        #expect(try parse("--force", "--", "--blur", "-x").rest == ["--blur", "-x"])
        #expect(try parse("-").rest == ["-"])
        #expect(try parse("Größe ß.mp4", "--blur=ü").rest == ["Größe ß.mp4"])
    }

    /// An unknown option, an option without its value, one with a superfluous value, and an unknown letter.
    @Test func refusesWrongUsage() {
        for words in [["--colour"], ["in", "--blur"], ["--force=no"], ["-x"]] {
            #expect(problem(words)?.code == .usage, "\(words)")
        }
    }

    @Test func helpListsThemBetweenTheTexts() {
        let help = OptionParser(Self.options).help(
            of: "tool do", arguments: "IN OUT", above: "It does.", below: "The end.")
        let paragraphs = help.split(separator: "\n\n").map {
            $0.trimmingCharacters(in: .whitespacesAndNewlines)
        }
        #expect(
            paragraphs.count == 4 && paragraphs[1] == "It does." && paragraphs[3] == "The end.", "\(help)")
        let options = help.matches(of: #/\n +(?:-(\w), )?--([a-z]+)(?:=(\w+))? +(.+)/#).map {
            [$0.1 ?? "", $0.2, $0.3 ?? "", $0.4].map { String($0) }
        }
        #expect(
            options == [["", "blur", "N", "how much"], ["f", "force", "", "write over files"]], "\(help)")
    }
}
