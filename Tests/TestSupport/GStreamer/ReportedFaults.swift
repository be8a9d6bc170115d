import CGStreamer
import Synchronization

/// Warnings and criticals of GLib and GStreamer about wrong calls of a program.
///
/// Applications may make them fatal, as `Tests/run` does.
public enum ReportedFaults {
    private static let found = Mutex([String]())

    /// Records the reports of this process while `body` runs; for one test at a time.
    public static func during(_ body: () throws -> Void) rethrows -> [String] {
        found.withLock { $0 = [] }
        let fatal = g_log_set_always_fatal(people_log_level_error)
        defer { g_log_set_always_fatal(fatal) }
        let before = g_log_set_default_handler(
            { domain, level, text, _ in
                let levels = people_log_level_critical.rawValue | people_log_level_warning.rawValue
                guard level.rawValue & levels != 0 else { return }
                let line = [domain, text].map { $0.map { String(cString: $0) } ?? "" }.joined(separator: ": ")
                ReportedFaults.found.withLock { $0.append(line) }
            }, nil)
        defer { g_log_set_default_handler(before, nil) }
        try body()
        return found.withLock { $0 }
    }
}
