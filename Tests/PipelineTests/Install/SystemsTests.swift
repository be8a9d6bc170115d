import TestSupport
import Testing

/// `Tests/systems`, without a Debian.
struct SystemsTests {
    /// The table of `docs/systems.md` says what was run, and nothing else.
    @Test func recordsWhatWasRun() throws {
        let result = try script("check_systems.py", [])
        #expect(result.status == 0 && result.output.contains(#/Ran [1-9]/#), "\(result.output)")
    }
}
