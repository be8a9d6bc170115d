import Inference
import Synchronization
import Threads

/// Compiles a model on a thread of its own.
///
/// A compilation uses one core only, so several may run side by side. The compiled model lives as long as
/// this object; the engine returns it at once to callers that ask for it meanwhile. Errors are dropped:
/// loading the model compiles it again and throws the same error.
final class BackgroundCompilation {
    private let worker: Worker

    /// Begins to compile the model called `name`, for the given size where the model leaves it free.
    convenience init(
        _ name: String, width: Int? = nil, height: Int? = nil,
        parallelism: ComputeOptions.Parallelism = .oneThread, _ setup: ModelSetup
    ) {
        self.init {
            try? setup.compile(setup.find(name), width: width, height: height, parallelism: parallelism)
        }
    }

    /// Begins to load the model that `info` describes in the size that was used last, if the cache has one.
    convenience init(last info: ModelInfo, parallelism: ComputeOptions.Parallelism, _ setup: ModelSetup) {
        self.init { setup.compileLast(info, parallelism: parallelism) }
    }

    private init(_ compile: @escaping @Sendable () -> CompiledModel?) {
        let result = Result()
        worker = Worker {
            let model = compile()
            result.model.withLock { $0 = model }
        }
        worker.begin()
    }

    /// Whether the compilation has ended, with or without success.
    var isFinished: Bool { !worker.isBusy }

    /// Blocks until the compilation has ended.
    func wait() { worker.wait() }

    private final class Result: Sendable {
        let model = Mutex<CompiledModel?>(nil)
    }
}

/// A model that a request uses, and the setup to load it with.
struct ModelUse {
    let name: String
    let setup: ModelSetup

    init(_ name: String, _ setup: ModelSetup) { (self.name, self.setup) = (name, setup) }

    fileprivate func compile() -> BackgroundCompilation { BackgroundCompilation(name, setup) }
}

extension [ModelUse] {
    /// Compiles the models side by side, and waits for all of them.
    ///
    /// - Returns: objects that keep the models compiled until they are loaded.
    func compileAll() -> [BackgroundCompilation] {
        let compilations = map { $0.compile() }
        for compilation in compilations { compilation.wait() }
        return compilations
    }

    /// Finds the models' files without loading them.
    func checkAll() throws(VisionError) {
        for use in self { _ = try use.setup.find(use.name) }
    }
}
