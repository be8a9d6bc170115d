import Glibc
import Synchronization

/// Which of several equal copies of the small models a request runs.
///
/// A copy runs one inference at a time, on one thread: requests that may run side by side have different copies, as far as
/// there are cores. A copy is compiled when a request needs it, so that the first request does not load those of others.
package final class ModelReplica: Sendable {
    /// More copies than this only cost memory.
    private static let most = min(max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))), 8)
    /// The number of requests that have each copy.
    private static let users = Mutex([Int](repeating: 0, count: most))

    /// Of the copy, counted from 0.
    package let number: Int

    /// The copy that has the fewest users, until this object goes.
    package init() {
        number = Self.users.withLock { users in
            let free = users.indices.min { users[$0] < users[$1] } ?? 0
            users[free] += 1
            return free
        }
    }

    deinit { Self.users.withLock { [number] in $0[number] -= 1 } }
}
