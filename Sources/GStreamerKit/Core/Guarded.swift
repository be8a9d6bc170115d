package import CGStreamer
import Synchronization

/// A value that several threads read and write, one at a time.
///
/// Applications set properties from any thread while the streaming thread works: it takes a
/// snapshot once per frame and never holds the lock while it works.
///
/// One rule holds for this lock and for `ConditionLock`, so that no two threads can wait for each other: **what
/// runs under a lock reads and changes the guarded value, and calls nothing else** - no other lock, no
/// GStreamer function, no closure from outside. What is to be done about a change is returned from `update` and
/// done afterwards. So are objects that wait when they go out of use, such as clips; pictures only give their memory
/// back and may be dropped under the lock. Work that two threads must not do at once is guarded by a state
/// that says who does it (`ClipDecoder.Phase`).
public final class Guarded<Value: Sendable>: Sendable {
    private let mutex: Mutex<Value>

    /// Guards `value`.
    public init(_ value: Value) { mutex = Mutex(value) }

    /// A copy of the value as it is now.
    public func snapshot() -> Value { mutex.withLock { $0 } }

    /// Changes the value.
    public func update<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        mutex.withLock { value in body(&value) }
    }
}

/// A value under a lock, and a way to wait until it has changed (`GMutex`, `GCond`).
///
/// For locks there is one rule, that of `Guarded`.
package final class ConditionLock<State>: @unchecked Sendable {
    // `state` is touched with the mutex held only.
    private let mutex = UnsafeMutablePointer<GMutex>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<GCond>.allocate(capacity: 1)
    private var state: State

    package init(_ state: State) {
        self.state = state
        g_mutex_init(mutex)
        g_cond_init(condition)
    }

    deinit {
        g_cond_clear(condition)
        g_mutex_clear(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Works on the value and wakes those that wait for a change.
    package func update<Result>(_ body: (inout State) -> Result) -> Result {
        g_mutex_lock(mutex)
        defer {
            g_cond_broadcast(condition)
            g_mutex_unlock(mutex)
        }
        return body(&state)
    }

    /// Looks at the value after each change until `body` has a result.
    ///
    /// - Parameter end: of `g_get_monotonic_time`; nil for as long as it takes.
    /// - Returns: nil when the time has passed.
    package func wait<Result>(until end: gint64? = nil, _ body: (inout State) -> Result?) -> Result? {
        g_mutex_lock(mutex)
        defer { g_mutex_unlock(mutex) }
        while true {
            if let result = body(&state) { return result }
            guard let end else {
                g_cond_wait(condition, mutex)
                continue
            }
            if g_cond_wait_until(condition, mutex, end) == 0 { return body(&state) }
        }
    }
}
