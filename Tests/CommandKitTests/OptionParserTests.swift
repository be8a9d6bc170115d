import CommandKit
import Testing

struct OptionParserTests {
    private static let options = [
        OptionDescription(name: "blur", value: .text("N"), summary: "how much"),
        OptionDescription(name: "force", letter: "f", summary: "write over files"),
    ]

    private func parse(_ words: String...) throws(ToolError) -> OptionParser.Result {
        try OptionParser(Self.options).parse(words, of: "tool")
    }

    private func problem(_ words: String...) -> ToolError? {
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

    @Test func namesAreTakenAsTheyAre() throws {
        #expect(try parse("--force", "--", "--blur", "-x").rest == ["--blur", "-x"])
        #expect(try parse("-").rest == ["-"])
        #expect(try parse("Größe ß.mp4", "--blur=ü").rest == ["Größe ß.mp4"])
    }

    @Test func wrongOptionsAreNamed() throws {
        #expect(problem("--colour")?.message.contains("--colour") == true)
        #expect(problem("--colour")?.code == .usage)
        #expect(problem("in", "--blur")?.message.contains("--blur") == true)
        #expect(problem("--force=no")?.message.contains("no value") == true)
        #expect(problem("-x")?.code == .usage)
    }

    @Test func helpListsThem() {
        let help = OptionParser(Self.options).help(
            of: "tool do", arguments: "IN OUT", above: "It does.", below: "The end.")
        for text in [
            "tool do [OPTION", "IN OUT", "It does.", "--blur=N", "-f, --force", "how much", "The end.",
        ] {
            #expect(help.contains(text), "\(help)")
        }
    }
}
