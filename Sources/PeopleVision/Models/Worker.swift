import Glibc
import Synchronization

/// Runs one piece of work at a time on a thread of its own, which ends before the worker is released.
package final class Worker {
    /// Longest wait, in seconds: an hour, longer than any frame takes.
    private static let maximumWait = 3600.0

    private let shared: Shared
    /// The thread; nil where the system grants none, and the caller's thread does the work.
    private let thread: pthread_t?

    /// Creates a worker that runs `work` each time it is asked to.
    ///
    /// - Parameter niceness: added to the niceness of the creating thread, 0...19. On busy cores a thread of
    ///   a higher niceness gets a smaller share of the time. Threads that `work` creates, such as OpenVINO's,
    ///   inherit the sum.
    package init(niceness: Int32 = 0, _ work: @escaping @Sendable () -> Void) {
        shared = Shared(niceness, work)
        let context = Unmanaged.passRetained(shared)
        var thread = pthread_t()
        let isRunning = pthread_create(&thread, nil, { Shared.run($0) }, context.toOpaque()) == 0
        if !isRunning { context.release() }
        self.thread = isRunning ? thread : nil
    }

    deinit {
        guard let thread else { return }
        shared.isEnding.store(true, ordering: .releasing)
        sem_post(shared.wake)
        pthread_join(thread, nil)
    }

    /// Whether the last piece of work is still running.
    package var isBusy: Bool { shared.isBusy.load(ordering: .acquiring) }

    /// Begins the next piece of work; must not be called while the last one is running.
    package func begin() {
        guard thread != nil else { return shared.work() }
        shared.isBusy.store(true, ordering: .releasing)
        sem_post(shared.wake)
    }

    /// Blocks until the last piece of work is done.
    package func wait() {
        // A piece of work that nobody waited for has left its signal in `done`.
        while isBusy { sem_wait(shared.done) }
    }

    /// Blocks until the last piece of work is done, for `seconds` at most.
    ///
    /// - Returns: whether the work is done.
    func wait(atMost seconds: Double) -> Bool {
        var end = timespec()
        // `sem_timedwait` uses this clock; if the clock is set back meanwhile, the wait ends with the work.
        clock_gettime(CLOCK_REALTIME, &end)
        let nanoseconds = end.tv_nsec + Int(min(max(0, seconds), Self.maximumWait) * 1e9)
        end.tv_sec += nanoseconds / 1_000_000_000
        end.tv_nsec = nanoseconds % 1_000_000_000
        while isBusy {
            guard sem_timedwait(shared.done, &end) == 0 || errno == EINTR else { break }
        }
        return !isBusy
    }

    private final class Shared: @unchecked Sendable {
        // Unchecked: the addresses of the semaphores never change, and semaphores may be used by several threads.
        private let niceness: Int32
        let work: @Sendable () -> Void
        let isBusy = Atomic(false)
        let isEnding = Atomic(false)
        let wake = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
        let done = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

        init(_ niceness: Int32, _ work: @escaping @Sendable () -> Void) {
            (self.niceness, self.work) = (niceness, work)
            for semaphore in [wake, done] { sem_init(semaphore, 0, 0) }
        }

        deinit {
            for semaphore in [wake, done] {
                sem_destroy(semaphore)
                semaphore.deallocate()
            }
        }

        static func run(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
            if let context { Unmanaged<Shared>.fromOpaque(context).takeRetainedValue().run() }
            return nil
        }

        private func run() {
            lowerPriority()
            while true {
                // `sem_wait` fails only where a signal interrupts it.
                while sem_wait(wake) != 0 {}
                if isEnding.load(ordering: .acquiring) { return }
                work()
                isBusy.store(false, ordering: .releasing)
                sem_post(done)
            }
        }

        /// Raises the calling thread's niceness: in Linux, `PRIO_PROCESS` with 0 is this thread, not the
        /// whole process.
        private func lowerPriority() {
            guard niceness > 0 else { return }
            let thread = __priority_which_t(PRIO_PROCESS.rawValue)
            setpriority(thread, 0, getpriority(thread, 0) + niceness)
        }
    }
}
