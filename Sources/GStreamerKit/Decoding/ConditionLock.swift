import CGStreamer

/// A value under a lock, and a way to wait until it has changed (`GMutex`, `GCond`).
///
/// For locks there is one rule, that of `Guarded`.
final class ConditionLock<State>: @unchecked Sendable {
    // `state` is touched with the mutex held only.
    private let mutex = UnsafeMutablePointer<GMutex>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<GCond>.allocate(capacity: 1)
    private var state: State

    init(_ state: State) {
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
    func update<Result>(_ body: (inout State) -> Result) -> Result {
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
    func wait<Result>(until end: gint64? = nil, _ body: (inout State) -> Result?) -> Result? {
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
