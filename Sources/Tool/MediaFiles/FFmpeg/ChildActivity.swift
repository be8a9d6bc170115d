import Glibc
import Synchronization

/// Work of child processes until now; children that wait in vain do none, slow ones do some.
package struct ChildActivity: Equatable, Sendable {
    /// Children that have not been waited for, with the names of their programs.
    static let running = Mutex<[pid_t: String]>([:])

    /// Time for which processors have worked for them, in nanoseconds.
    package var processorTime: Int64 = 0
    /// Bytes that they have read and written, as far as the kernel counts them: not those of sockets.
    package var transferredBytes: Int64 = 0

    package init() {}

    /// Returns the work of a process and of those that it has started, as a script does that calls another program.
    init(of identifier: pid_t) { add(identifier, depth: 0) }

    /// Work of all running children.
    package static var current: ChildActivity {
        running.withLock { identifiers in
            var activity = ChildActivity()
            for identifier in identifiers.keys { activity.add(identifier, depth: 0) }
            return activity
        }
    }

    /// Programs of all running children, each once.
    package static var programs: [String] { running.withLock { Set($0.values) }.sorted() }

    private mutating func add(_ identifier: pid_t, depth: Int) {
        var (clock, time) = (clockid_t(), timespec())
        if clock_getcpuclockid(identifier, &clock) == 0, clock_gettime(clock, &time) == 0 {
            processorTime &+= Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
        }
        // proc(5): rchar and wchar come first.
        for line in Self.lines("/proc/\(identifier)/io", count: 2) {
            transferredBytes &+= line.split(separator: " ").last.flatMap { Int64($0) } ?? 0
        }
        guard depth < Self.maximumDepth else { return }
        let children = Self.lines("/proc/\(identifier)/task/\(identifier)/children", count: 1).first ?? ""
        for child in children.split(separator: " ").compactMap({ pid_t($0) }) { add(child, depth: depth + 1) }
    }

    /// Scripts that call each other.
    private static let maximumDepth = 4

    /// Returns the first lines of a file, without their ends; none where it cannot be read.
    private static func lines(_ path: String, count: Int) -> [String] {
        guard let file = fopen(path, "re") else { return [] }
        defer { fclose(file) }
        var lines: [String] = []
        var line = [CChar](repeating: 0, count: 256)
        while lines.count < count, fgets(&line, Int32(line.count), file) != nil {
            let text = line.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } }
            lines.append(text?.filter { !$0.isNewline } ?? "")
        }
        return lines
    }
}
