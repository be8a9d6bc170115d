import CDynamicLinker
import Glibc

/// A file in memory: writing to it fails for fewer reasons than writing to a disk.
struct MemoryFile: ~Copyable {
    private let descriptor: Int32

    init?(named name: String) {
        let closedOnExec: UInt32 = 1  // MFD_CLOEXEC
        descriptor = memfd_create(name, closedOnExec)
        guard descriptor >= 0 else { return nil }
    }

    deinit { close(descriptor) }

    /// A name by which this process can open the file.
    var path: String { "/proc/self/fd/\(descriptor)" }

    /// Calls `body` with the written bytes; nil if there are none, or the limit of a file's size has cut them
    /// off.
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result? {
        var (status, limit) = (stat(), rlimit())
        guard fstat(descriptor, &status) == 0, status.st_size > 0,
            getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0,
            UInt64(status.st_size) < UInt64(limit.rlim_cur),
            let start = mmap(nil, Int(status.st_size), PROT_READ, MAP_SHARED, descriptor, 0),
            start != MAP_FAILED
        else { return nil }
        defer { munmap(start, Int(status.st_size)) }
        return body(UnsafeRawBufferPointer(start: start, count: Int(status.st_size)))
    }
}
