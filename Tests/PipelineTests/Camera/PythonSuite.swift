import Foundation
import Synchronization
import TestSupport
import Testing

/// A test of a class of a Python script, which this target shows as a test of its own.
struct PythonTest: CustomTestStringConvertible, Sendable {
    let suite: PythonSuite
    let name: String

    var testDescription: String { "\(suite.name).\(name)" }

    /// Returns the tests of scripts, in the order of their source.
    ///
    /// - Parameter excluded: names of classes that are left out.
    static func all(of scripts: [String], except excluded: Set<String>) throws -> [PythonTest] {
        try scripts.flatMap { script in
            let source = try String(contentsOfFile: Checkout.script(script), encoding: .utf8)
            var suite = PythonSuite(script: script, name: "")
            return source.split(separator: "\n").compactMap { line -> PythonTest? in
                if let match = line.prefixMatch(of: #/class (\w+)/#) {
                    suite = PythonSuite(script: script, name: String(match.1))
                }
                guard let match = line.prefixMatch(of: #/    def (test_\w+)\(/#),
                    !excluded.contains(suite.name)
                else { return nil }
                return PythonTest(suite: suite, name: String(match.1))
            }
        }
    }
}

/// A class of a Python script, whose tests share what the class sets up.
struct PythonSuite: Hashable, Sendable, CustomTestStringConvertible {
    let script: String
    let name: String

    var testDescription: String { name }

    private static let runs = Mutex<[PythonSuite: Run]>([:])

    /// The failures of each test that ran to its end, and all that was printed.
    struct Run: Sendable {
        let failures: [String: [String]]
        let output: String
        let succeeded: Bool
    }

    /// Returns the run of the suite, which is made when it is first asked for.
    func run(environment: [String: String]) throws -> Run {
        try Self.runs.withLock { runs in
            if let run = runs[self] { return run }
            let result = try Subprocess.run(
                "/usr/bin/python3",
                ["-B", "-W", "ignore", Checkout.script("run_suite.py"), script, name],
                environment: environment)
            let lines = objects(result).compactMap { line in
                (line["test"] as? String).map { ($0, line["failures"] as? [String] ?? ["no result"]) }
            }
            let run = Run(
                failures: Dictionary(lines) { $0 + $1 }, output: result.output, succeeded: result.status == 0)
            runs[self] = run
            return run
        }
    }
}
