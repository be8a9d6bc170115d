import Inference
import Synchronization

/// Compiles a model on a thread of its own; a model takes one core only, so that several may be compiled side by side.
///
/// The compiled model lives as long as this does: the engine hands it out at once where it is asked for meanwhile.
/// An error is dropped: loading the model compiles it again and throws the same one.
final class BackgroundCompilation {
    private let job: Job
    private let thread: JoinedThread?

    /// Begins to compile the model called `name`, for the size where the model leaves it free.
    init(
        _ name: String, width: Int? = nil, height: Int? = nil,
        parallelism: ComputeOptions.Parallelism = .oneThread, _ setup: ModelSetup
    ) {
        let job = Job { () throws(VisionError) in
            try setup.compile(setup.find(name), width: width, height: height, parallelism: parallelism)
        }
        self.job = job
        thread = JoinedThread { job.run() }
        if thread == nil { job.finish(nil) }
    }

    /// Whether the model is compiled, or could not be.
    var isFinished: Bool { job.isFinished }

    /// Blocks until it is.
    func wait() { thread?.join() }

    private final class Job: Sendable {
        private enum State {
            case compiling
            case finished(CompiledModel?)
        }

        private let compile: @Sendable () throws(VisionError) -> CompiledModel
        private let state = Mutex(State.compiling)

        init(_ compile: @escaping @Sendable () throws(VisionError) -> CompiledModel) {
            self.compile = compile
        }

        var isFinished: Bool {
            state.withLock { if case .finished = $0 { true } else { false } }
        }

        func finish(_ model: CompiledModel?) { state.withLock { $0 = .finished(model) } }

        func run() { finish(try? compile()) }
    }
}
