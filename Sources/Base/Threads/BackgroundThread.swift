import Glibc
import Synchronization

/// A thread that does one piece of work.
package final class BackgroundThread: Sendable {
    private let thread: Mutex<pthread_t?>

    /// Starts the thread; nil where the system grants none.
    package init?(_ work: @escaping @Sendable () -> Void) {
        let context = Unmanaged.passRetained(Work(work))
        var thread = pthread_t()
        let isRunning =
            pthread_create(
                &thread, nil,
                { argument in
                    if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body() }
                    return nil
                }, context.toOpaque()) == 0
        self.thread = Mutex(isRunning ? thread : nil)
        guard isRunning else {
            context.release()
            return nil
        }
    }

    deinit { thread.withLock { if let thread = $0 { pthread_detach(thread) } } }

    /// Waits for the end of the work.
    package func wait() {
        let waiting = thread.withLock { thread in
            defer { thread = nil }
            return thread
        }
        if let waiting { pthread_join(waiting, nil) }
    }

    private final class Work: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
}
