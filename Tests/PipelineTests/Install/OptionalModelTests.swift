import Foundation
import TestSupport
import Testing

/// Models that `pipelines/setup` prepares only when asked.
struct OptionalModelTests {
    private static let setup = Checkout.root.appendingPathComponent("pipelines/setup").path

    @Test func theHelpNamesTheOptionAndTheLicence() throws {
        let help = try Subprocess.run(Self.setup, ["--help"])
        #expect(help.status == 0)
        #expect(help.output.contains("--with-rvm") && help.output.contains("GPL"))
        #expect(!help.output.contains("set -euo"))
        let wrong = try Subprocess.run(Self.setup, ["--with-everything"])
        #expect(wrong.status == 1 && wrong.output.contains("[--with-rvm]"))
    }

    private static let python = Checkout.setup.appendingPathComponent("venv/bin/python").path

    /// The ratio is built in, and outputs that nobody asks for are gone.
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
