import Glibc

/// A value that one thread at a time changes, and whose changes threads can wait for.
package final class Monitor<Value>: @unchecked Sendable {
    // Unchecked: the value is read and written under the lock only; lock and condition keep their addresses.
    private var value: Value
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let change = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    package init(_ value: Value) {
        self.value = value
        pthread_mutex_init(lock, nil)
        pthread_cond_init(change, nil)
    }

    deinit {
        pthread_cond_destroy(change)
        pthread_mutex_destroy(lock)
        change.deallocate()
        lock.deallocate()
    }

    /// Changes the value, and wakes the waiting threads.
    package func update(_ body: (inout Value) -> Void) {
        pthread_mutex_lock(lock)
        body(&value)
        pthread_cond_broadcast(change)
        pthread_mutex_unlock(lock)
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
}
