import Foundation

/// What this process takes of the machine's memory.
public enum ProcessMemory {
    /// Bytes in memory now.
    public static var resident: Int { field("VmRSS:") }

    /// The most bytes that were in memory since `forgetPeak`.
    public static var peak: Int { field("VmHWM:") }

    /// Lets `peak` begin anew.
    public static func forgetPeak() {
        // proc(5): 5 resets the peak of the resident set.
        try? Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
    }

    /// Gives memory that nothing uses back to the machine; Swift does not import `malloc_trim`.
    public static func trim() {
        guard let symbol = dlsym(nil, "malloc_trim") else { return }
        _ = unsafeBitCast(symbol, to: (@convention(c) (Int) -> Int32).self)(0)
    }

    private static func field(_ name: String) -> Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix(name) }
        let number = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
        return (number ?? 0) * 1024
    }
}
