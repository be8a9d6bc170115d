import TestSupport
import Testing

/// `pipelines/bench`, without measuring.
struct BenchTests {
    /// Checkouts of an earlier version, environments, and figures of given times; then runs, and pages that quote them.
    @Test(arguments: ["check_versions.py", "check_report.py"])
    func measuresWhatItSays(_ name: String) throws {
        let result = try script(name, [])
        #expect(result.status == 0 && result.output.contains(#/Ran [1-9]/#), "\(result.output)")
    }
}
