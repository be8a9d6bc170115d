import Glibc
import Synchronization
import Threads

/// Lets one thread at a time use the state of a request; a thread that has it may enter again.
///
/// An asynchronous call uses the state on another thread, while the caller's may go on.
final class RequestLock: Sendable {
    private struct Owner {
        var thread = pthread_t()
        /// Number of entries of this thread; 0 where no thread has the state.
        var depth = 0
    }

    private let owner = Monitor(Owner())

    /// Blocks until no other thread uses the state.
    func enter() {
        let thread = pthread_self()
        owner.wait { owner -> Void? in
            guard owner.depth == 0 || pthread_equal(owner.thread, thread) != 0 else { return nil }
            owner = Owner(thread: thread, depth: owner.depth + 1)
            return ()
        }
    }

    /// Lets other threads use the state.
    func leave() { owner.update { $0.depth -= 1 } }
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
