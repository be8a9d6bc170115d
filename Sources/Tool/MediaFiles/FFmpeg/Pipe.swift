import CommandKit
import Glibc

/// A pipe whose ends other children do not inherit.
struct Pipe {
    let reading: Int32
    let writing: Int32

    init() throws(ToolError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw ToolError(.failed, "No pipe could be made: \(String(cString: strerror(errno))).")
        }
        (reading, writing) = (ends[0], ends[1])
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        // A frame takes fewer changes between the programs; a smaller pipe works, too.
        _ = fcntl(writing, Self.setSize, Self.bytes)
    }

    /// F_SETPIPE_SZ (linux/fcntl.h), which Swift does not import.
    private static let setSize: Int32 = 1031
    /// Largest size that the kernel grants every user.
    private static let bytes: Int32 = 1 << 20

    func closeReading() { close(reading) }
    func closeWriting() { close(writing) }
}
