import Glibc
import Inference
import Synchronization

/// Compiles a model on a thread of its own, so that frames need not wait for it.
///
/// The compiled model lives as long as this does; who asks the engine for it meanwhile has it at once. What fails is
/// left to fail again where it is asked for.
final class BackgroundCompilation {
    private let job: Job
    private let thread: pthread_t?

    /// Begins; `compile` is called on the thread.
    init(_ compile: @escaping @Sendable () throws(VisionError) -> CompiledModel) {
        let job = Job(compile)
        self.job = job
        var thread = pthread_t()
        let context = Unmanaged.passRetained(job)
        guard pthread_create(&thread, nil, { Job.run($0) }, context.toOpaque()) == 0 else {
            context.release()
            job.finish(nil)
            self.thread = nil
            return
        }
        self.thread = thread
    }

    deinit { wait() }

    /// Whether the model is compiled, or could not be.
    var isFinished: Bool { job.isFinished }

    /// Blocks until it is.
    func wait() {
        guard let thread, job.takeJoin() else { return }
        pthread_join(thread, nil)
    }

    private final class Job: Sendable {
        private struct State {
            var model: CompiledModel?
            var isFinished = false
            var isJoined = false
        }

        private let compile: @Sendable () throws(VisionError) -> CompiledModel
        private let state = Mutex(State())

        init(_ compile: @escaping @Sendable () throws(VisionError) -> CompiledModel) {
            self.compile = compile
        }

        var isFinished: Bool { state.withLock { $0.isFinished } }

        /// True once: a thread is joined once.
        func takeJoin() -> Bool {
            state.withLock { state in
                defer { state.isJoined = true }
                return !state.isJoined
            }
        }

        func finish(_ model: CompiledModel?) {
            state.withLock { state in
                state.model = model
                state.isFinished = true
            }
        }

        static func run(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
            guard let context else { return nil }
            let job = Unmanaged<Job>.fromOpaque(context).takeRetainedValue()
            job.finish(try? job.compile())
            return nil
        }
    }
}
