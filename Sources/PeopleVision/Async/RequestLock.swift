import Glibc
import Synchronization

/// Lets one thread at a time use the state of a request; a thread that has it may enter again.
///
/// An asynchronous call uses the state on another thread, while the caller's may go on.
final class RequestLock {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    init() {
        var attributes = pthread_mutexattr_t()
        pthread_mutexattr_init(&attributes)
        pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_RECURSIVE))
        pthread_mutex_init(mutex, &attributes)
        pthread_mutexattr_destroy(&attributes)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Blocks until no other thread uses the state.
    func enter() { pthread_mutex_lock(mutex) }

    /// Lets other threads use the state.
    func leave() { pthread_mutex_unlock(mutex) }
}

/// Settings of a request, which may be changed while an asynchronous call is running.
final class Settings<Value: Sendable>: Sendable {
    private let storage: Mutex<Value>

    init(_ value: Value) { storage = Mutex(value) }

    /// The settings as a whole.
    var value: Value {
        get { storage.withLock { $0 } }
        set { storage.withLock { $0 = newValue } }
    }
}
