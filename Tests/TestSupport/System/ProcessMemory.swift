import Foundation

/// The memory of this process.
public enum ProcessMemory {
    /// Bytes that are resident now.
    public static var resident: Int { field("VmRSS:") }

    /// Maximum number of resident bytes since `forgetPeak`.
    public static var peak: Int { field("VmHWM:") }

    /// Resets `peak`.
    public static func forgetPeak() {
        // proc(5): 5 resets the peak of the resident set.
        try? Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
    }

    /// Returns unused memory to the system; Swift does not import `malloc_trim`.
    public static func trim() {
        guard let symbol = dlsym(nil, "malloc_trim") else { return }
        _ = unsafeBitCast(symbol, to: (@convention(c) (Int) -> Int32).self)(0)
    }

    /// Bytes that the process has allocated by the C allocator and not freed, in all arenas.
    ///
    /// `resident` also counts free memory between allocated blocks, which trimming cannot return to the
    /// system.
    public static var allocated: Int {
        var (text, length): (UnsafeMutablePointer<CChar>?, Int) = (nil, 0)
        guard let symbol = dlsym(nil, "malloc_info"), let file = open_memstream(&text, &length) else {
            return 0
        }
        _ = unsafeBitCast(symbol, to: (@convention(c) (Int32, UnsafeMutablePointer<FILE>) -> Int32).self)(
            0, file)
        fclose(file)
        defer { free(text) }
        // The totals of all arenas follow the last arena.
        let totals = text.map { String(cString: $0) }?.components(separatedBy: "</heap>").last ?? ""
        func size(_ kind: String) -> Int {
            let line = totals.split(separator: "\n").first { $0.contains(kind) }
            let number = line?.components(separatedBy: "size=\"").last?.prefix { $0.isNumber }
            return number.flatMap { Int($0) } ?? 0
        }
        return size("<system type=\"current\"") + size("<total type=\"mmap\"")
            - size("<total type=\"fast\"") - size("<total type=\"rest\"")
    }

    private static func field(_ name: String) -> Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix(name) }
        let number = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
        return (number ?? 0) * 1024
    }
}
