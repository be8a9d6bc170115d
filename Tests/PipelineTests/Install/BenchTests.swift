import TestSupport
import Testing

/// `pipelines/bench`, without measuring.
struct BenchTests {
    /// Checkouts of an earlier version, environments, and figures of given times.
    @Test func comparesVersions() throws {
        let result = try script("check_versions.py", [])
        #expect(result.status == 0 && result.output.contains(#/Ran [1-9]/#), "\(result.output)")
    }
}
