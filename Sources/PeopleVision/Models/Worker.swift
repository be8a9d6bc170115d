import Glibc
import Synchronization

/// Does one piece of work at a time on a thread of its own, which ends before the worker does.
final class Worker {
    private let shared: Shared
    /// Nil where the system grants none: work is then done by the thread that asks for it.
    private let thread: pthread_t?

    /// A worker that does `work`, time and again.
    init(_ work: @escaping @Sendable () -> Void) {
        shared = Shared(work)
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

    private final class Shared: @unchecked Sendable {
        // Unchecked: the addresses of the semaphores never change, and semaphores may be used by several threads.
        let work: @Sendable () -> Void
        let isBusy = Atomic(false)
        let isEnding = Atomic(false)
        let wake = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
        let done = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

        init(_ work: @escaping @Sendable () -> Void) {
            self.work = work
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
