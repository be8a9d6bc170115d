import Glibc
import Synchronization

/// A request to end an asynchronous call before its next model.
///
/// Threads know the cancellation of the call that they are running. Task-local values would serve as well, but
/// would bring Swift's concurrency runtime into the plugin, which has no tasks.
final class Cancellation: Sendable {
    private let wasRequested = Atomic(false)

    /// Asks the call to end.
    func request() { wasRequested.store(true, ordering: .relaxed) }

    /// The place of each thread's own cancellation; nil where the system grants none, and calls run to their end.
    private static let key: pthread_key_t? = {
        var key = pthread_key_t()
        return pthread_key_create(&key, nil) == 0 ? key : nil
    }()

    /// Runs a call on this thread, which ends early if the cancellation is requested.
    func cover<Result, Failure>(_ call: () throws(Failure) -> Result) throws(Failure) -> Result {
        guard let key = Self.key else { return try call() }
        pthread_setspecific(key, Unmanaged.passUnretained(self).toOpaque())
        defer {
            pthread_setspecific(key, nil)
            withExtendedLifetime(self) {}
        }
        return try call()
    }

    /// Throws `VisionError.cancelled` where the call that runs on this thread is to end.
    static func check() throws(VisionError) {
        guard let key, let current = pthread_getspecific(key) else { return }
        let cancellation = Unmanaged<Cancellation>.fromOpaque(current).takeUnretainedValue()
        if cancellation.wasRequested.load(ordering: .relaxed) { throw .cancelled }
    }
}
