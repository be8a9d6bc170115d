import Foundation
import TestSupport
import Testing

/// Models that `pipelines/setup` prepares only when asked.
struct OptionalModelTests {
    private static let setup = Checkout.root.appendingPathComponent("pipelines/setup").path

    /// The help contains none of the code below the comment.
    @Test func theHelpIsTheCommentAtTheTop() throws {
        let help = try Subprocess.run(Self.setup, ["--help"])
        let text = try String(contentsOfFile: Self.setup, encoding: .utf8)
        let comment = text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst()
            .prefix { $0.hasPrefix("#") }.map { String($0.drop { "# ".contains($0) }) }
        let lines = help.output.split(separator: "\n", omittingEmptySubsequences: false).map {
            String($0.drop { $0 == " " })
        }
        #expect(help.status == 0 && lines.dropLast() == comment[...], "\(help.output)")
    }

    @Test func refusesUnknownOptions() throws {
        #expect(try Subprocess.run(Self.setup, ["--with-everything"]).status == 1)
    }

    private static let python = Checkout.setup.appendingPathComponent("venv/bin/python").path

    /// The ratio is built in, and unused outputs are removed.
    @Test(
        .enabled(
            if: FileManager.default.fileExists(atPath: python), "needs .gst-people/venv: run pipelines/setup")
    )
    func aRecurrentNetworkKeepsTheInputsOfItsManifest() throws {
        let scratch = try Scratch()
        let program = Checkout.root.appendingPathComponent("Tests/Scripts/convert_recurrent.py").path
        let result = try Subprocess.run(Self.python, ["-B", program, scratch.url.path])
        #expect(result.status == 0, "\(result.output)")
        #expect(result.output == "image state\nalpha next\n0.5\n")
    }
}
