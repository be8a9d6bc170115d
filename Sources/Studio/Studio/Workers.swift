import CGStreamer
import GStreamerKit

/// Threads for long work, so that the server's thread never waits.
final class Workers {
    private var pool: UnsafeMutablePointer<GThreadPool>?

    /// Makes the threads.
    ///
    /// - Parameter count: maximum number of threads.
    init(_ count: Int32) {
        pool = g_thread_pool_new(
            { job, _ in if let job { Unmanaged<Job>.fromOpaque(job).takeRetainedValue().run() } }, nil, count,
            0, nil)
    }

    /// Discards waiting work, and waits for the end of work that has begun.
    func end() {
        if let pool { g_thread_pool_free(pool, 1, 1) }
        pool = nil
    }

    /// Calls `work` on another thread, and then `done` with the result on the thread of the main context.
    func run<Result: Sendable>(
        _ work: @escaping @Sendable () -> Result, then done: @escaping (Result) -> Void
    ) {
        // `done` is called and released on the thread that made it.
        nonisolated(unsafe) let done = done
        let job = Job {
            let result = work()
            return { done(result) }
        }
        guard let pool else { return }
        g_thread_pool_push(pool, Unmanaged.passRetained(job).toOpaque(), nil)
    }

    private final class Job: @unchecked Sendable {
        // Unchecked: only one thread at a time uses it.
        private let work: () -> () -> Void
        private var finish: () -> Void = {}

        init(_ work: @escaping () -> () -> Void) { self.work = work }

        func run() {
            finish = work()
            g_idle_add(
                { job in
                    if let job { Unmanaged<Job>.fromOpaque(job).takeRetainedValue().finish() }
                    return 0
                }, Unmanaged.passRetained(self).toOpaque())
        }
    }
}
