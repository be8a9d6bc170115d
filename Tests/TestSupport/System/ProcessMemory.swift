import Foundation

/// What this process takes of the machine's memory.
public enum ProcessMemory {
    /// Bytes in memory now.
    public static var resident: Int { field("VmRSS:") }

    /// The maximum number of bytes that were in memory since `forgetPeak`.
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

    /// Bytes that the process has from the C allocator and has not given back to it, in all arenas.
    ///
    /// `resident` also counts free memory between what is in use, which no trimming gives back to the machine.
    public static var allocated: Int {
        var (text, length): (UnsafeMutablePointer<CChar>?, Int) = (nil, 0)
        guard let symbol = dlsym(nil, "malloc_info"), let file = open_memstream(&text, &length) else {
            return 0
        }
        _ = unsafeBitCast(symbol, to: (@convention(c) (Int32, UnsafeMutablePointer<FILE>) -> Int32).self)(
            0, file)
        fclose(file)
        defer { free(text) }
        // The totals of all arenas stand behind the last of them.
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
