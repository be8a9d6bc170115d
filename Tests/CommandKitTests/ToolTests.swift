import CommandKit
import Testing

struct ToolTests {
    private func run(_ words: String...) -> Int32 { SampleCommand.tool.run(words) }

    @Test func optionsReachTheCommand() {
        #expect(run("count", "a", "b") == 102)
        #expect(run("count", "a", "b", "--maximum=1") == 101)
        #expect(run("count", "a", "--unit", "dozen", "--again", "--share=0.1") == 124)
        #expect(run("count", "--", "--again") == 101)
    }

    @Test(arguments: [
        ["count", "--maximum=0"], ["count", "--maximum=x"], ["count", "--maximum=99999999999999999999"],
        ["count", "--unit=score"], ["count", "--share=1.5"], ["count", "--share=nan"],
        ["count", "--maximum"],
        ["count", "--more"], ["sum"], [], ["--sum"], ["--completion=fish"],
        ["count", "--list="], ["help", "sum"], ["help", "count", "sum"],
    ])
    func wrongUsageHasItsStatus(_ words: [String]) {
        #expect(SampleCommand.tool.run(words) == ExitCode.usage.rawValue)
    }

    @Test func failuresHaveTheirStatus() {
        #expect(run("count", "missing") == ExitCode.input.rawValue)
        #expect(ToolError(interruptedBy: 2).status == 130)
    }

    @Test(arguments: [
        ["--help"], ["-h"], ["--version"], ["count", "--help"], ["count", "--wrong", "-h"], ["help"],
        ["help", "count"], ["help", "--help"],
    ])
    func helpNeverFails(_ words: [String]) {
        #expect(SampleCommand.tool.run(words) == 0)
    }

    @Test func valuesAreReadAsNumbers() throws {
        #expect(try number("12.5", in: 0...100, of: "blur") == 12.5)
        #expect(throws: ToolError.self) { try number("inf", in: 0...100, of: "blur") }
        #expect(1234.5678.text(decimals: 2) == "1234.57")
        #expect(30.0.shortText == "30" && 7.5.shortText == "7.5")
        #expect(3725.4.clockTime == "1:02:05" && 59.6.clockTime == "0:01:00")
        #expect((-1.0).clockTime == "0:00:00" && Double.nan.clockTime == "0:00:00")
        #expect(Double.infinity.clockTime == "277777:46:40")
    }
}
