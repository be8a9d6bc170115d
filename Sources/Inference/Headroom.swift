import Glibc

/// What a process has left of what the system grants it.
package struct Headroom {
    /// File descriptors that can be opened at once.
    var descriptors: Int
    /// Bytes of memory that can be allocated at once.
    var bytes: Int

    /// Room for `descriptors` open files and `bytes` of memory.
    package init(descriptors: Int, bytes: Int) { (self.descriptors, self.bytes) = (descriptors, bytes) }

    /// Room for this much more.
    static func + (room: Headroom, more: Headroom) -> Headroom {
        Headroom(descriptors: room.descriptors &+ more.descriptors, bytes: room.bytes &+ more.bytes)
    }

    /// Why this process does not have so much left; nil where it has.
    package var shortage: String? { descriptorShortage ?? memoryShortage }

    private var descriptorShortage: String? {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
        let count = Int(clamping: limit.rlim_cur)
        var (free, next) = (0, Int32(0))
        // Asking costs no descriptor, as a list of /proc would.
        while free < descriptors, next < count {
            if fcntl(next, F_GETFD) == -1 { free += 1 }
            next += 1
        }
        guard free < descriptors else { return nil }
        return "\(free) of \(count) file descriptors are left; \(descriptors) must be. "
            + "Close files, or raise the limit (ulimit -n)"
    }

    /// Memory is asked for and given back: several limits concern it (`ulimit -v`, `ulimit -d`, the system's own).
    private var memoryShortage: String? {
        let memory = mmap(
            nil, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
        guard memory == MAP_FAILED else {
            munmap(memory, bytes)
            return nil
        }
        return "the system refuses \(bytes >> 20) MiB of memory, which must be left. "
            + "Raise the limits (ulimit -v and -d)"
    }
}

/// Lets OpenVINO load things only while this process has enough left for that.
///
/// Where a file cannot be opened or memory is refused, threads of OpenVINO and oneTBB end the process or never end. Other
/// code of the process can take what was left in the meantime, hence much more is asked for than is needed.
final class LoadingGate: Sendable {
    /// The gate of the process.
    static let shared = LoadingGate()

    /// What stays free beside the loads.
    private static let reserve = Headroom(descriptors: 16, bytes: 64 << 20)

    /// The loads that are going on, together.
    private let running = Monitor<(count: Int, needs: Headroom)>((0, Headroom(descriptors: 0, bytes: 0)))

    /// Calls `load`, which needs `room`; waits for other loads where there is not enough for all of them.
    ///
    /// - Throws: ``InferenceError/resourcesExhausted(why:)`` where there is not enough, also when `load` has failed and what
    ///   it needs is no longer there; else what `load` throws.
    func pass<Result>(
        _ room: Headroom, _ load: () throws(InferenceError) -> Result
    ) throws(InferenceError) -> Result {
        try running.wait { (running) throws(InferenceError) -> Void? in
            if let shortage = (Self.reserve + running.needs + room).shortage {
                guard running.count > 0 else { throw .resourcesExhausted(why: shortage) }
                return nil
            }
            running = (running.count + 1, running.needs + room)
            return ()
        }
        defer {
            let given = Headroom(descriptors: -room.descriptors, bytes: -room.bytes)
            running.update { $0 = ($0.count - 1, $0.needs + given) }
        }
        do {
            return try load()
        } catch {
            throw (Self.reserve + room).shortage.map { .resourcesExhausted(why: $0) } ?? error
        }
    }
}

extension Headroom {
    /// For opening OpenVINO with the libraries and threads of a device.
    static let runtime = Headroom(descriptors: 16, bytes: 256 << 20)
    /// For a model's description.
    static let description = Headroom(descriptors: 1, bytes: 1 << 20)

    /// For compiling or importing a model.
    static func model(_ info: ModelInfo) -> Headroom {
        let files = [info.path, info.weights].compactMap { $0 }.compactMap(FileSystem.fileSize)
        let bytes = min(files.reduce(0, &+), 1 << 32)
        return Headroom(descriptors: 8, bytes: 96 << 20 &+ 6 * bytes)
    }
}
