package import CGStreamer
import Synchronization

/// A value that several threads read and write, one at a time.
///
/// Applications set properties from any thread while frames are processed. The streaming thread takes a
/// snapshot once per frame and does not lock while it works.
///
/// One rule for this lock and for `ConditionLock` prevents deadlocks: **code under a lock reads and changes
/// the guarded value, and calls nothing else** - no other lock, no GStreamer function, no closure from
/// outside. `update` returns what is to be done about a change, and the caller does it afterwards. Objects
/// whose deinitializer waits, such as clips, are returned in the same way; pictures only free memory and may
/// be released under the lock. Work that only one thread may do at a time is guarded by a state that names
/// the thread's work (`ClipDecoder.Phase`).
public final class Guarded<Value: Sendable>: Sendable {
    private let mutex: Mutex<Value>

    /// Guards `value`.
    public init(_ value: Value) { mutex = Mutex(value) }

    /// Returns a copy of the value as it is now.
    public func snapshot() -> Value { mutex.withLock { $0 } }

    /// Changes the value.
    public func update<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        mutex.withLock { value in body(&value) }
    }
}

/// A value under a lock, with a way to wait for its changes (`GMutex`, `GCond`).
///
/// The rule for locks is that of `Guarded`.
package final class ConditionLock<State>: @unchecked Sendable {
    // `state` is read and written only while the mutex is locked.
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

    /// Calls `body` with the value, then wakes the threads that wait for a change.
    package func update<Result>(_ body: (inout State) -> Result) -> Result {
        g_mutex_lock(mutex)
        defer {
            g_cond_broadcast(condition)
            g_mutex_unlock(mutex)
        }
        return body(&state)
    }

    /// Calls `body` with the value after each change until it returns a result.
    ///
    /// - Parameter end: deadline in the time of `g_get_monotonic_time`; nil waits without limit.
    /// - Returns: nil when the deadline has passed.
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
