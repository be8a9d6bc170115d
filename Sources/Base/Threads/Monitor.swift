import Glibc

/// A value that one thread at a time changes, and whose changes threads can wait for.
///
/// Code under the lock reads and changes the value, and calls nothing that takes another lock.
package final class Monitor<Value>: @unchecked Sendable {
    // Unchecked: the value is read and written under the lock only; lock and condition keep their addresses.
    private var value: Value
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let change = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    package init(_ value: Value) {
        self.value = value
        pthread_mutex_init(lock, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        // Deadlines do not move when the system's clock is set.
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(change, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(change)
        pthread_mutex_destroy(lock)
        change.deallocate()
        lock.deallocate()
    }

    /// Returns what `body` says of the value.
    package func read<Result>(_ body: (Value) -> Result) -> Result {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        return body(value)
    }

    /// Changes the value, and wakes the waiting threads.
    package func update<Result>(_ body: (inout Value) -> Result) -> Result {
        pthread_mutex_lock(lock)
        defer {
            pthread_cond_broadcast(change)
            pthread_mutex_unlock(lock)
        }
        return body(&value)
    }

    /// Calls `attempt` now and after each change, until it returns a result or throws.
    package func wait<Result, Failure>(
        for attempt: (inout Value) throws(Failure) -> Result?
    ) throws(Failure) -> Result {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        while true {
            if let result = try attempt(&value) { return result }
            pthread_cond_wait(change, lock)
        }
    }

    /// Calls `attempt` now and after each change, until it returns a result or the deadline has passed.
    ///
    /// - Returns: nil when the deadline has passed.
    package func wait<Result>(until end: Deadline, for attempt: (inout Value) -> Result?) -> Result? {
        var time = end.time
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        while true {
            if let result = attempt(&value) { return result }
            guard pthread_cond_timedwait(change, lock, &time) == 0 else { return attempt(&value) }
        }
    }
}

/// A moment until which a thread waits, by a clock that nobody sets.
package struct Deadline: Sendable {
    fileprivate let time: timespec

    /// Longest wait, in seconds: an hour, longer than any frame takes.
    private static let maximumWait = 3600.0

    /// Creates the moment that is `seconds` from now; infinity is an hour.
    package init(in seconds: Double) {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        let nanoseconds = time.tv_nsec + Int(min(max(0, seconds), Self.maximumWait) * 1e9)
        time.tv_sec += nanoseconds / 1_000_000_000
        time.tv_nsec = nanoseconds % 1_000_000_000
        self.time = time
    }
}
