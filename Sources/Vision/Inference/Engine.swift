import Glibc
import Synchronization

/// The device that runs a model, and the use of the processor's cores.
package struct ComputeOptions: Sendable, Hashable {
    /// OpenVINO's name of the device: `CPU`, `GPU`, `GPU.1`, `NPU`, `AUTO`.
    package var device = "CPU"
    /// The distribution of the processor's cores.
    package var parallelism = Parallelism.streams
    /// Maximum number of threads for inference; 0 means one per core.
    package var threads = 0
    /// A number that distinguishes several compiled copies of the same model, which share nothing and may run
    /// side by side.
    package var replica = 0

    /// Creates the defaults: the CPU, one thread for each of several requests.
    package init() {}

    /// The distribution of the processor's cores.
    ///
    /// It applies to the device `CPU` only.
    package enum Parallelism: String, Sendable {
        /// Every request runs on a thread of its own: for small models, which several threads slow down on a
        /// busy machine.
        case streams
        /// One request at a time, on all threads: for heavy models.
        case wholeMachine
        /// One request at a time, on one thread: for small models with one request, or few.
        ///
        /// Each stream has a graph of its own, and building the graph takes as long as reading the model.
        case oneThread
    }
}

extension ComputeOptions {
    /// Maximum number of streams; more would only cost memory and start-up time, because each has its own
    /// copy of the graph.
    private static let maximumStreams = 8

    /// OpenVINO's properties for compiling, without the cache.
    package var properties: [(key: String, value: String)] {
        switch device.prefix(while: { $0 != "." && $0 != ":" }) {
        case "CPU": cpuProperties + [precisionHint]
        case "NPU": [latency]
        default: [latency, precisionHint]
        }
    }

    private var latency: (key: String, value: String) { ("PERFORMANCE_HINT", "LATENCY") }

    /// IEEE 754 single precision, in which the models were made.
    ///
    /// OpenVINO's default on new CPUs is bfloat16, with errors of up to 0.3 in a mask of 0...1.
    private var precisionHint: (key: String, value: String) { ("INFERENCE_PRECISION_HINT", "f32") }

    private var cpuProperties: [(key: String, value: String)] {
        let cores = threads > 0 ? threads : max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        let streams = parallelism == .streams ? min(cores, Self.maximumStreams) : 1
        return [
            ("NUM_STREAMS", String(streams)),
            ("INFERENCE_NUM_THREADS", String(parallelism == .wholeMachine ? cores : streams)),
            // Pinned threads of two models in one process would share one core.
            ("ENABLE_CPU_PINNING", "NO"),
        ]
    }
}

/// A model ready to run on a device.
///
/// ``Engine`` creates and shares it; it may be used from any thread.
package final class CompiledModel: Sendable {
    /// The description of the model.
    package let info: ModelInfo
    /// The dimensions of the input, in the order of its layout.
    package let inputShape: [Int]
    /// The dimensions of the outputs, in the order of ``ModelInfo/outputs``.
    package var outputShapes: [[Int]] { outputs.map(\.shape) }

    /// The options that it was compiled with.
    package let options: ComputeOptions

    let library: OpenVINO
    let compiled: OpenVINO.CompiledModel
    let input: OpenVINO.Port
    let outputs: [Output]
    let states: [State]

    struct State: Sendable {
        let shape: [Int]
        let input: OpenVINO.Port
        let output: OpenVINO.Port
    }

    struct Output: Sendable {
        let shape: [Int]
        let port: OpenVINO.Port
    }

    init(
        info: ModelInfo, inputShape: [Int], options: ComputeOptions, library: OpenVINO,
        compiled: OpenVINO.CompiledModel, input: OpenVINO.Port, outputs: [Output], states: [State]
    ) {
        self.info = info
        self.options = options
        self.inputShape = inputShape
        self.library = library
        self.compiled = compiled
        self.input = input
        self.outputs = outputs
        self.states = states
    }
}

/// Compiles models and shares them within the process.
///
/// The engine opens OpenVINO when the first model is requested, never before.
package final class Engine: Sendable {
    /// The engine of the process.
    package static let shared = Engine(
        runtimeDirectories: SearchPaths.current.runtimeDirectories,
        cacheDirectory: SearchPaths.current.cacheDirectory)

    private let runtimeDirectories: [String]
    private let cacheDirectory: String?
    private let searchesSystem: Bool
    private let core = Mutex<OpenVINO.Core?>(nil)
    private let slots = Mutex<[Key: Slot]>([:])
    #if RULE_SWITCHES
        /// All models, so that pictures of many sizes do not load them again and again.
        private let kept = Mutex<[CompiledModel]>([])
    #endif

    package init(runtimeDirectories: [String], cacheDirectory: String?, searchesSystem: Bool = true) {
        self.runtimeDirectories = runtimeDirectories
        self.cacheDirectory = cacheDirectory
        self.searchesSystem = searchesSystem
    }

    /// Returns the model, ready to run; the same instance for the same arguments while it lives.
    ///
    /// Blocks while this model is read and compiled (tens to hundreds of milliseconds), but not while another
    /// model is. May be called from any thread.
    /// - Parameters:
    ///   - info: The model, from a ``ModelStore``.
    ///   - width: Width of the input in pixels; needed when the model leaves it free.
    ///   - height: Height of the input in pixels; needed when the model leaves it free.
    ///   - options: Device and threads.
    /// - Throws: Any ``InferenceError`` but `modelNotFound` and `inferenceFailed`.
    package func compiledModel(
        _ info: ModelInfo, width: Int? = nil, height: Int? = nil, options: ComputeOptions = ComputeOptions()
    ) throws(InferenceError) -> CompiledModel {
        guard let shape = info.input.shape(width: width, height: height) else {
            throw .unsupportedModel(path: info.path, why: refusal(of: info.input, width, height))
        }
        return try compiledModel(Key(info: info, inputShape: shape, options: options))
    }

    /// Returns a model of a free size, in the size used last, perhaps by an earlier process; nil where the
    /// cache has none.
    package func lastCompiledModel(
        _ info: ModelInfo, options: ComputeOptions
    ) throws(InferenceError) -> CompiledModel? {
        let runtime = try loadedCore().library.path
        let files = ExportedModels(of: info, options, runtime: runtime, in: cacheDirectory)
        guard let shape = files?.lastShape, admits(info.input.shape.map { $0 == 0 ? nil : $0 }, shape) else {
            return nil
        }
        return try compiledModel(Key(info: info, inputShape: shape, options: options))
    }

    private func compiledModel(_ key: Key) throws(InferenceError) -> CompiledModel {
        try slot(for: key).model.withLock { (shared) throws(InferenceError) in
            if let model = shared.value { return model }
            let model = try compile(key)
            shared.value = model
            #if RULE_SWITCHES
                kept.withLock { $0.append(model) }
            #endif
            return model
        }
    }

    private func refusal(of input: ModelInfo.Input, _ width: Int?, _ height: Int?) -> String {
        let asked = "\(width.map { "\($0)" } ?? "?") x \(height.map { "\($0)" } ?? "?") pixels"
        return "its input \(input.shape) (0: free, a multiple of \(input.multiple)) cannot have \(asked)"
    }

    private func compile(_ key: Key) throws(InferenceError) -> CompiledModel {
        let compiler = ModelCompiler(
            core: try loadedCore(), info: key.info, inputShape: key.inputShape, options: key.options)
        let start = ContinuousClock.now
        let model = try LoadingGate.shared.pass(.model(key.info)) { () throws(InferenceError) in
            try compiler.compile(cacheDirectory: cacheDirectory)
        }
        InferenceLog.write {
            "compiled \(key.info.path) \(key.inputShape) for \(key.options.device) in \(ContinuousClock.now - start)"
        }
        return model
    }

    private func slot(for key: Key) -> Slot {
        slots.withLock { slots in
            let slot = slots[key] ?? Slot()
            slots[key] = slot
            return slot
        }
    }

    /// Loads the core; a failure is not remembered, so that an installation in the meantime is found.
    private func loadedCore() throws(InferenceError) -> OpenVINO.Core {
        try core.withLock { (core) throws(InferenceError) in
            if let core { return core }
            let loaded = try LoadingGate.shared.pass(.runtime) { () throws(InferenceError) in try loadCore() }
            core = loaded
            return loaded
        }
    }

    private func loadCore() throws(InferenceError) -> OpenVINO.Core {
        let library = try RuntimeLibrary(searching: runtimeDirectories, orSystem: searchesSystem)
        InferenceLog.write { "opened OpenVINO \(library.path)" }
        let openVINO = try OpenVINO(library)
        do {
            let core = try OpenVINO.Core(openVINO)
            // Properties are lost if one thread sets them while another one loads the device: imported models
            // would then compute in bfloat16.
            core.load(device: ComputeOptions().device)
            return core
        } catch {
            throw .runtimeUnusable(path: library.path, why: error.message)
        }
    }
}

// MARK: - Shared models

extension Engine {
    private struct Key: Hashable {
        let info: ModelInfo
        let inputShape: [Int]
        let options: ComputeOptions
    }

    /// A lock per model, so that the compilation of one model does not block another.
    ///
    /// Two threads that request the same model at the same time wait for a single compilation. A slot stays
    /// when its model has been released; it is a few words.
    private final class Slot: Sendable {
        let model = Mutex(WeakModel())
    }

    private struct WeakModel: Sendable {
        weak var value: CompiledModel?
    }
}

/// A log of rare and slow operations: opening OpenVINO, compiling models.
///
/// The log writes nothing by itself; a program that has a log of its own sets a writer.
package enum InferenceLog {
    private static let writer = Mutex<(@Sendable (String) -> Void)?>(nil)

    /// Sets the function that gets every line from now on, on the thread on which the line arises.
    package static func setWriter(_ write: @escaping @Sendable (String) -> Void) {
        writer.withLock { $0 = write }
    }

    /// Writes a line, which is built only if there is a writer.
    static func write(_ line: () -> String) {
        let write = writer.withLock { $0 }
        write?(line())
    }
}
