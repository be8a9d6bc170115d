import Foundation
import TestSupport
import Testing

/// `pipelines/demo` with replacements for compiler and Python that do nothing, so that nothing is downloaded
/// or built.
struct DemoTests {
    @Test func aFailureOfTheBuildEndsTheSetup() throws {
        let demo = try StandIns(compiler: "echo no compiler today; exit 1")
        let result = demo.process.finish()
        #expect(result.status == 1)
        #expect(result.output.contains("build:   no compiler today"), "\(result.output)")
        #expect(result.output.contains("stopping setup, because build has failed"), "\(result.output)")
        #expect(result.output.hasSuffix("build has failed; it says why above.\n"), "\(result.output)")
        try demo.expectNothingIsLeft()
    }

    @Test func interruptingTheDemoEndsItsSetup() throws {
        let demo = try StandIns(compiler: "touch compiling; exec sleep 600")
        demo.process.wait { demo.exists("compiling") }
        demo.process.interrupt()
        let result = demo.process.finish()
        #expect(result.status == 130, "\(result.output)")
        #expect(result.output.contains("setup: Interrupted; nothing half-done is left."), "\(result.output)")
        try demo.expectNothingIsLeft()
    }
}

/// The demo, running with its own set-up directory.
private struct StandIns {
    let process: RunningProcess
    private let scratch: Scratch

    /// Starts the demo.
    ///
    /// - Parameter compiler: the shell code of `swift build`, once set-up runs.
    init(compiler: String) throws {
        scratch = try Scratch()
        try Self.write(
            """
            [ "$1" = build ] || exec echo 'Swift version 6.0'
            cd "$(dirname "$0")"
            until [ -e python ]; do sleep 0.1; done
            \(compiler)
            """, to: scratch.path("swift"))
        try Self.write(
            """
            [ "$1" = -m ] || exec echo python 3 11
            echo $$ >"$(dirname "$0")/python"
            exec sleep 600
            """, to: scratch.path("python3"))
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let demo = Checkout.root.appendingPathComponent("pipelines/demo").path
        // Tests that were started in the background ignore Control-C, and so would bash.
        process = try RunningProcess(
            "env", ["--default-signal=INT", demo, "--output", scratch.path("output")],
            environment: [
                "PATH": scratch.url.path + ":" + path, "GST_PEOPLE_SETUP_DIR": scratch.path("set-up"),
            ])
    }

    private static func write(_ body: String, to path: String) throws {
        try Data("#!/bin/sh\n\(body)\n".utf8).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    }

    func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: scratch.path(name)) }

    func expectNothingIsLeft() throws {
        let python = try String(contentsOfFile: scratch.path("python"), encoding: .utf8)
        let process = try #require(pid_t(python.trimmingCharacters(in: .newlines)))
        #expect(kill(process, 0) != 0, "Python still runs")
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path("set-up")) == [".lock"])
        #expect(!exists("output"))
    }
}
