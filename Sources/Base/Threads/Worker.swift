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

/// Runs one piece of work at a time on a thread of its own, which ends before the worker is released.
package final class Worker: Sendable {
    private struct State {
        var isBusy = false
        var isEnding = false
    }

    private let state: Monitor<State>
    private let work: @Sendable () -> Void
    /// The thread; nil where the system grants none, and the caller's thread does the work.
    private let thread: BackgroundThread?

    /// Creates a worker that runs `work` each time it is asked to.
    ///
    /// - Parameter niceness: added to the niceness of the creating thread, 0...19. On busy cores a thread of
    ///   a higher niceness gets a smaller share of the time. Threads that `work` creates, such as OpenVINO's,
    ///   inherit the sum.
    package init(niceness: Int32 = 0, _ work: @escaping @Sendable () -> Void) {
        let state = Monitor(State())
        (self.state, self.work) = (state, work)
        thread = BackgroundThread {
            Self.lowerPriority(by: niceness)
            Self.run(work, state)
        }
    }

    deinit {
        state.update { $0.isEnding = true }
        thread?.wait()
    }

    /// Whether the last piece of work is still running.
    package var isBusy: Bool { state.read(\.isBusy) }

    /// Begins the next piece of work; must not be called while the last one is running.
    package func begin() {
        guard thread != nil else { return work() }
        state.update { $0.isBusy = true }
    }

    /// Blocks until the last piece of work is done.
    package func wait() { state.wait { $0.isBusy ? nil : () } }

    /// Blocks until the last piece of work is done, for `seconds` at most.
    ///
    /// - Returns: whether the work is done.
    package func wait(atMost seconds: Double) -> Bool {
        state.wait(until: Deadline(in: seconds)) { $0.isBusy ? nil : true } ?? false
    }

    private static func run(_ work: @Sendable () -> Void, _ state: Monitor<State>) {
        while state.wait(for: { $0.isEnding ? false : $0.isBusy ? true : nil }) {
            work()
            state.update { $0.isBusy = false }
        }
    }

    /// Raises the calling thread's niceness: in Linux, `PRIO_PROCESS` with 0 is this thread, not the whole
    /// process.
    private static func lowerPriority(by niceness: Int32) {
        guard niceness > 0 else { return }
        let thread = __priority_which_t(PRIO_PROCESS.rawValue)
        setpriority(thread, 0, getpriority(thread, 0) + niceness)
    }
}
