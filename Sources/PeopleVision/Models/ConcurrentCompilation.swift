import Glibc
import Inference
import Synchronization

/// Compiles several models at the same time, one thread for each: a model takes one core only.
///
/// The compiled models live as long as this does; whoever asks the engine for one of them meanwhile gets it at once.
/// What fails is left to fail again where it is asked for.
final class ConcurrentCompilation {
    private let threads: [pthread_t]
    private let jobs: [Job]

    /// Begins to compile what `setups` describe.
    init(_ models: [(name: String, setup: ModelSetup)]) {
        jobs = models.map { Job(name: $0.name, setup: $0.setup) }
        threads = jobs.compactMap { job in
            var thread = pthread_t()
            let context = Unmanaged.passRetained(job)
            let status = pthread_create(&thread, nil, { Job.run($0) }, context.toOpaque())
            guard status == 0 else {
                context.release()
                return nil
            }
            return thread
        }
    }

    /// Waits until everything is compiled.
    func wait() { for thread in threads { pthread_join(thread, nil) } }

    private final class Job: Sendable {
        private let name: String
        private let setup: ModelSetup
        private let model = Mutex<CompiledModel?>(nil)

        init(name: String, setup: ModelSetup) { (self.name, self.setup) = (name, setup) }

        static func run(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
            guard let context else { return nil }
            let job = Unmanaged<Job>.fromOpaque(context).takeRetainedValue()
            let compiled = try? job.setup.compile(job.setup.find(job.name))
            job.model.withLock { $0 = compiled }
            return nil
        }
    }
}
