import Glibc
import Synchronization

/// Work of all running child processes until now; children that wait in vain do none, slow ones do some.
package struct ChildActivity: Equatable, Sendable {
    /// Children that have not been waited for.
    static let running = Mutex<Set<pid_t>>([])

    /// Time for which processors have worked for them, in nanoseconds.
    package private(set) var processorTime: Int64 = 0
    /// Lines of the kernel's counts of bytes that they have read and written.
    package private(set) var transfers: [String] = []

    package static var current: ChildActivity {
        running.withLock { identifiers in
            var activity = ChildActivity()
            for identifier in identifiers.sorted() { activity.add(identifier) }
            return activity
        }
    }

    private mutating func add(_ identifier: pid_t) {
        var (clock, time) = (clockid_t(), timespec())
        if clock_getcpuclockid(identifier, &clock) == 0, clock_gettime(clock, &time) == 0 {
            processorTime &+= Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
        }
        // proc(5): rchar and wchar come first.
        guard let file = fopen("/proc/\(identifier)/io", "re") else { return }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 64)
        for _ in 0..<2 where fgets(&line, Int32(line.count), file) != nil {
            let text = line.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } }
            transfers.append(text ?? "")
        }
    }
}
