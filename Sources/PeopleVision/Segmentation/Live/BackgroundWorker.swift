import Glibc
import Synchronization

/// Does one piece of work at a time on a thread of its own, which lives as long as the worker.
final class BackgroundWorker {
    private let shared: Shared
    /// Nil where the system grants none: work is then done by the thread that asks for it.
    private let thread: JoinedThread?

    /// A worker that does `work`, time and again.
    init(_ work: @escaping () -> Void) {
        let shared = Shared(work)
        self.shared = shared
        thread = JoinedThread { shared.run() }
    }

    deinit {
        shared.isEnding.store(true, ordering: .releasing)
        sem_post(shared.wake)
        thread?.join()
    }

    /// Whether the last piece is still being worked on.
    var isBusy: Bool { shared.isBusy.load(ordering: .acquiring) }

    /// Begins the next piece; not while the last is being worked on.
    func begin() {
        guard thread != nil else { return shared.work() }
        shared.isBusy.store(true, ordering: .releasing)
        sem_post(shared.wake)
    }

    /// Blocks until the last piece is done.
    func wait() {
        // A piece that was not waited for has left its mark in `done`.
        while isBusy { sem_wait(shared.done) }
    }

    // Work is done by one thread at a time; semaphores and atomics may be used by all.
    private final class Shared: @unchecked Sendable {
        let work: () -> Void
        let isBusy = Atomic(false)
        let isEnding = Atomic(false)
        let wake = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
        let done = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

        init(_ work: @escaping () -> Void) {
            self.work = work
            for semaphore in [wake, done] { sem_init(semaphore, 0, 0) }
        }

        deinit {
            for semaphore in [wake, done] {
                sem_destroy(semaphore)
                semaphore.deallocate()
            }
        }

        func run() {
            while true {
                // It fails only where a signal interrupts it.
                while sem_wait(wake) != 0 {}
                if isEnding.load(ordering: .acquiring) { return }
                work()
                isBusy.store(false, ordering: .releasing)
                sem_post(done)
            }
        }
    }
}
