import Foundation
import TestSupport
import Testing

/// The example in which browsers join a conference; Chromium is the browser, with people of the packaged clip
/// before its camera.
struct ConferenceTests {
    @Test(arguments: try PythonTest.all(of: scripts, except: []))
    func passesThePythonTest(_ test: PythonTest) throws {
        let run = try test.suite.run(environment: Self.names)
        let failures = try #require(run.failures[test.name], "\(test.name) did not run: \(run.output)")
        #expect(failures.isEmpty, "\(failures.joined(separator: "\n"))")
    }

    /// The set-up and the clean-up of each class succeed, too.
    ///
    /// Latency and CPU time are printed.
    @Test(arguments: Set(try PythonTest.all(of: scripts, except: []).map(\.suite)))
    func passesThePythonClass(_ suite: PythonSuite) throws {
        let run = try suite.run(environment: Self.names)
        #expect(run.succeeded, "\(run.output)")
        for line in run.output.split(separator: "\n") where line.contains("latency_ms") { print(line) }
    }

    /// The example is small enough to be read as a whole.
    @Test func staysSmall() throws {
        let folder = Checkout.root.appendingPathComponent("pipelines/examples/conference")
        func isProgram(_ file: String) -> Bool { !file.contains("__pycache__") && !file.hasSuffix(".md") }
        let lines = try files(below: folder.path).filter(isProgram).map {
            try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8).split(
                separator: "\n", omittingEmptySubsequences: false
            ).count - 1
        }
        #expect(lines.count == 4 && lines.reduce(0, +) <= 400, "\(lines)")
    }

    /// Left out by `Tests/run --without-desktop`.
    private static let scripts =
        ProcessInfo.processInfo.environment["GST_PEOPLE_TESTS_WITHOUT_DESKTOP"] == nil
        ? ["check_conference.py"] : []
    private static let names = [
        "CONFERENCE_TOOL": Tool.path, "CONFERENCE_CLIP": Checkout.clip.path,
    ]
}
