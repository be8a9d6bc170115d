import Glibc
import Synchronization

/// A request to end an asynchronous call: before its next model runs, and at once while one is being loaded.
///
/// Threads know the cancellation of the call that they are running. Task-local values would serve as well, but
/// would bring Swift's concurrency runtime into the plugin, which has no tasks.
package final class Cancellation: Sendable {
    private struct State {
        var wasRequested = false
        /// Number of models that the call's thread is loading, which may be nested.
        var loads = 0
        /// Whether the caller waits no longer.
        var isAbandoned = false

        /// Abandons the call where it may be: while it loads, it does not use the caller's image.
        mutating func abandonIfLoading() -> Bool {
            guard wasRequested, loads > 0, !isAbandoned else { return false }
            isAbandoned = true
            return true
        }
    }

    private let state = Mutex(State())
    /// Lets the caller go on, although the thread has not ended the call.
    private let abandon: @Sendable () -> Void

    /// Creates the cancellation of a call.
    ///
    /// - Parameter abandon: lets the caller go on; it is called once at most.
    init(abandon: @escaping @Sendable () -> Void) { self.abandon = abandon }

    /// Asks the call to end.
    func request() {
        let isFree = state.withLock { state in
            state.wasRequested = true
            return state.abandonIfLoading()
        }
        if isFree { abandon() }
    }

    /// Returns whether the caller still waits for the call, which ends.
    func end() -> Bool { state.withLock { !$0.isAbandoned } }

    /// The place of each thread's own cancellation; nil where the system grants none, and calls run to their end.
    private static let key: pthread_key_t? = {
        var key = pthread_key_t()
        return pthread_key_create(&key, nil) == 0 ? key : nil
    }()

    /// The cancellation of the call that runs on this thread.
    private static var current: Cancellation? {
        guard let key, let current = pthread_getspecific(key) else { return nil }
        return Unmanaged<Cancellation>.fromOpaque(current).takeUnretainedValue()
    }

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
        if current?.state.withLock({ $0.wasRequested }) == true { throw .cancelled }
    }

    /// Loads something that takes long and does not use the caller's image.
    ///
    /// A caller whose task is cancelled meanwhile does not wait for the end: it gets `VisionError.cancelled` at once.
    /// What is loaded stays for the next call; this call then throws, too.
    package static func whileLoading<Loaded>(
        _ load: () throws(VisionError) -> Loaded
    ) throws(VisionError) -> Loaded {
        guard let current else { return try load() }
        try current.beginLoad()
        defer { current.endLoad() }
        let loaded = try load()
        try check()
        return loaded
    }

    private func beginLoad() throws(VisionError) {
        let isCancelled = state.withLock { state in
            if !state.wasRequested { state.loads += 1 }
            return state.wasRequested
        }
        if isCancelled { throw .cancelled }
    }

    private func endLoad() { state.withLock { $0.loads -= 1 } }
}
