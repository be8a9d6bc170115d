import Glibc
import Threads

/// The system resources that a process has left.
package struct Headroom {
    /// Number of file descriptors that can be opened at once.
    var descriptors: Int
    /// Number of bytes of memory that can be allocated at once.
    var bytes: Int

    /// Creates room for `descriptors` open files and `bytes` of memory.
    package init(descriptors: Int, bytes: Int) { (self.descriptors, self.bytes) = (descriptors, bytes) }

    /// Adds two amounts of room.
    static func + (room: Headroom, more: Headroom) -> Headroom {
        Headroom(descriptors: room.descriptors &+ more.descriptors, bytes: room.bytes &+ more.bytes)
    }

    /// A text that says which resource is short; nil if this process has as much room left.
    package var shortage: String? { descriptorShortage ?? memoryShortage }

    private var descriptorShortage: String? {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
        let count = Int(clamping: limit.rlim_cur)
        var (free, next) = (0, Int32(0))
        // Checking needs no descriptor, unlike a list of /proc.
        while free < descriptors, next < count {
            if fcntl(next, F_GETFD) == -1 { free += 1 }
            next += 1
        }
        guard free < descriptors else { return nil }
        return "\(free) of \(count) file descriptors are left; \(descriptors) must be. "
            + "Close files, or raise the limit (ulimit -n)"
    }

    /// A shortage of memory, found by a trial allocation, because several limits apply (`ulimit -v`, `ulimit
    /// -d`, the system's own).
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

/// Lets OpenVINO load things only while this process has enough resources left.
///
/// If a file cannot be opened or memory is refused, threads of OpenVINO and oneTBB end the process or never
/// end. Other code of the process can use up the remaining resources in the meantime, so much more is
/// required than is needed.
final class LoadingGate: Sendable {
    /// The gate of the process.
    static let shared = LoadingGate()

    /// The reserve that stays free besides the loads.
    private static let reserve = Headroom(descriptors: 16, bytes: 64 << 20)

    /// The sum of the loads in progress.
    private let running = Monitor<(count: Int, needs: Headroom)>((0, Headroom(descriptors: 0, bytes: 0)))

    /// Calls `load`, which needs `room`; waits for other loads if the room is not enough for all of them.
    ///
    /// - Throws: ``InferenceError/resourcesExhausted(why:)`` if the room is not enough, also when `load` has
    ///   failed and its room is no longer there; otherwise the error of `load`.
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
    /// Room for opening OpenVINO with the libraries and threads of a device.
    static let runtime = Headroom(descriptors: 16, bytes: 256 << 20)
    /// Room for reading a model's description.
    static let description = Headroom(descriptors: 1, bytes: 1 << 20)

    /// Returns the room for compiling or importing a model.
    static func model(_ info: ModelInfo) -> Headroom {
        let files = [info.path, info.weights].compactMap { $0 }.compactMap(ModelFiles.fileSize)
        let bytes = min(files.reduce(0, &+), 1 << 32)
        return Headroom(descriptors: 8, bytes: 96 << 20 &+ 6 * bytes)
    }
}
