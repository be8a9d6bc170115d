import Glibc

/// A thread that ends before the object does.
final class JoinedThread {
    /// Nil when it has been joined.
    private var thread: pthread_t?

    /// Begins to do `work`; nil where the system grants no thread.
    init?(_ work: @escaping @Sendable () -> Void) {
        var thread = pthread_t()
        let context = Unmanaged.passRetained(Work(work))
        guard pthread_create(&thread, nil, { Work.run($0) }, context.toOpaque()) == 0 else {
            context.release()
            return nil
        }
        self.thread = thread
    }

    deinit { join() }

    /// Blocks until the work is done.
    func join() {
        guard let thread else { return }
        self.thread = nil
        pthread_join(thread, nil)
    }

    private final class Work: Sendable {
        private let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }

        static func run(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
            if let context { Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body() }
            return nil
        }
    }
}
