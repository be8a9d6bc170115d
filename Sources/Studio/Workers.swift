import CGStreamer
import GStreamerKit

/// Threads for what may take long, so that the thread that answers never waits.
final class Workers {
    private let pool: UnsafeMutablePointer<GThreadPool>?

    /// - Parameter count: how many there are at most.
    init(_ count: Int32) {
        pool = g_thread_pool_new(
            { job, _ in if let job { Unmanaged<Job>.fromOpaque(job).takeRetainedValue().run() } }, nil, count,
            0, nil)
    }

    /// Works on another thread, and then hands the result to `done` on the thread of the main context.
    func run<Result: Sendable>(
        _ work: @escaping @Sendable () -> Result, then done: @escaping (Result) -> Void
    ) {
        // `done` is called, and let go, where it was made.
        nonisolated(unsafe) let done = done
        let job = Job {
            let result = work()
            return { done(result) }
        }
        g_thread_pool_push(pool, Unmanaged.passRetained(job).toOpaque(), nil)
    }

    private final class Job: @unchecked Sendable {
        // Unchecked: one thread after the other has it.
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
