import Glibc
package import Inference
import Synchronization

/// The settings that decide how a model is loaded, other than the model itself.
package struct ModelSetup: Equatable, Sendable {
    /// OpenVINO's device: `CPU`, `GPU`, `NPU`, `AUTO`.
    let device: String
    /// Threads for inference; 0 for as many as suit the model.
    let threads: Int
    /// A model of the user (its file, or the name of a prepared one), or a directory to search first.
    private(set) var modelPath: String?
    /// The arithmetic that models may use.
    let precision: ModelPrecision
    /// Whether frames are analysed with other input sizes of a model while a thread compiles the best one.
    let compilesInBackground: Bool
    /// Whether images stand by themselves, so that requests may be made for one image each: models stay compiled for a while.
    package let keepsModels: Bool
    /// The number of the copy of the small models that is used.
    private(set) var replica = 0
    /// The person detector's results that requests share; nil for a request on its own.
    private(set) var detections: SharedDetections?

    /// Creates a setup; `modelPath` names a model or its file, or a directory to search first.
    package init(
        device: String, threads: Int, modelPath: String?, precision: ModelPrecision = .automatic,
        compilesInBackground: Bool = false, keepsModels: Bool = false
    ) {
        (self.device, self.threads, self.modelPath) = (device, threads, modelPath)
        (self.precision, self.compilesInBackground) = (precision, compilesInBackground)
        self.keepsModels = keepsModels
    }

    /// Returns this setup with a copy of the small models.
    func using(_ replica: ModelReplica) -> ModelSetup {
        var setup = self
        setup.replica = replica.number
        return setup
    }

    /// Returns this setup for requests that look at the same frames.
    func sharing(_ detections: SharedDetections?) -> ModelSetup {
        var setup = self
        setup.detections = detections
        return setup
    }

    /// This setup without a model of the user.
    ///
    /// In a request with several models, the user's model replaces one of them; the others are loaded with
    /// this setup.
    var withoutUserModel: ModelSetup {
        var setup = self
        if hasUserModel { setup.modelPath = nil }
        return setup
    }

    /// Whether a model of the user replaces one of the models.
    var hasUserModel: Bool { modelPath.map(ModelStore.isModel) ?? false }

    /// Returns the description of the model called `name`, or of the user's in its place, without loading it.
    ///
    /// - Throws: `VisionError.inference` when a file is missing or damaged.
    package func find(_ name: String) throws(VisionError) -> ModelInfo {
        do throws(InferenceError) {
            if let modelPath, ModelStore.isModel(modelPath) {
                let isFile = ModelStore.isModelFile(modelPath)
                return try ModelStore(precision: isFile ? .float32 : allowed).model(modelPath, like: name)
            }
            try ModelStore.checkAsked(modelPath, for: name)
            return try ModelStore(directory: modelPath, precision: allowed).model(named: name)
        } catch { throw .inference(error) }
    }

    /// The precision that the device may use: 8-bit models are prepared and checked for processors only.
    private var allowed: ModelPrecision { device.hasPrefix("CPU") ? precision : .float32 }

    /// Returns a request of the model that `info` describes, compiled for this setup.
    ///
    /// - Parameters:
    ///   - width: width of an image input in pixels; needed where the model leaves it free.
    ///   - height: height of an image input in pixels; likewise.
    ///   - parallelism: one thread for small models, the whole machine for heavy ones.
    /// - Throws: `VisionError.inference` when the model cannot be compiled.
    package func load(
        _ info: ModelInfo, width: Int? = nil, height: Int? = nil,
        parallelism: ComputeOptions.Parallelism = .oneThread
    ) throws(VisionError) -> InferenceRequest {
        let model = try compile(info, width: width, height: height, parallelism: parallelism)
        do throws(InferenceError) { return try InferenceRequest(model) } catch { throw .inference(error) }
    }

    /// Returns the compiled model without a request; the process compiles it once.
    func compile(
        _ info: ModelInfo, width: Int? = nil, height: Int? = nil,
        parallelism: ComputeOptions.Parallelism = .oneThread
    ) throws(VisionError) -> CompiledModel {
        try Cancellation.whileLoading { () throws(VisionError) in
            do throws(InferenceError) {
                let model = try Engine.shared.compiledModel(
                    info, width: width, height: height, options: options(parallelism))
                if keepsModels { RecentModels.shared.keep(model) }
                return model
            } catch { throw .inference(error) }
        }
    }

    /// Returns the compiled model in the size used last; nil where the cache has none, or it cannot be used.
    func compileLast(_ info: ModelInfo, parallelism: ComputeOptions.Parallelism) -> CompiledModel? {
        (try? Engine.shared.lastCompiledModel(info, options: options(parallelism))) ?? nil
    }

    private func options(_ parallelism: ComputeOptions.Parallelism) -> ComputeOptions {
        var options = ComputeOptions()
        (options.device, options.threads, options.parallelism) = (device, threads, parallelism)
        if parallelism == .oneThread, device == "CPU" { options.replica = replica }
        return options
    }
}

extension InferenceRequest {
    /// Computes the outputs from the input, unless the call that needs them was cancelled.
    func infer() throws(VisionError) {
        try Cancellation.check()
        do throws(InferenceError) { try run() } catch { throw .inference(error) }
    }

    /// Returns the values of output `index`, valid until the next run.
    ///
    /// Call it once when the model is loaded, so that a file with other outputs is refused then.
    ///
    /// - Throws: `InferenceError.unsupportedModel` when their number is not `count`.
    func output(_ index: Int, count: Int) throws(VisionError) -> UnsafeBufferPointer<Float> {
        guard outputs.indices.contains(index), outputs[index].count == count else {
            let shapes = model.outputShapes
            let found = shapes.indices.contains(index) ? "\(shapes[index])" : "missing"
            throw unsupported("its output \(index) is \(found), not \(count) values")
        }
        return outputs[index]
    }

    /// Returns the error of a model that cannot be used, because `why`.
    func unsupported(_ why: String) -> VisionError {
        .inference(.unsupportedModel(path: model.info.path, why: why))
    }
}

/// Settings of requests that run models themselves: the device, and the models' files.
public protocol InferenceConfiguration: RequestConfiguration {
    /// OpenVINO's device: `CPU`, `GPU`, `NPU`, `AUTO`.
    var device: String { get set }
    /// Threads for inference; 0 for as many as suit the models.
    var threads: Int { get set }
    /// A model to use instead of the built-in one, or a directory of models.
    var modelPath: String? { get set }
}

/// The loaded models of a request; they stay loaded until the settings that they depend on change.
struct LoadedModels<Models> {
    private var loaded: (setup: ModelSetup, models: Models)?

    /// Returns the models for `setup`, which are reloaded when the setup has changed.
    mutating func models(
        _ setup: ModelSetup, load: (ModelSetup) throws(VisionError) -> Models
    ) throws(VisionError) -> Models {
        if let loaded, loaded.setup == setup { return loaded.models }
        let models = try load(setup)
        loaded = (setup, models)
        return models
    }

    /// The loaded models; nil without any.
    var current: Models? { loaded?.models }

    /// Releases the models.
    mutating func unload() {
        loaded = nil
        RecentModels.shared.release()
    }
}

/// The choice of one of several equal copies of the small models.
///
/// A copy runs one inference at a time, on one thread: requests that may run side by side have different
/// copies, as far as there are cores. A copy is compiled when a request needs it, so that the first request
/// does not load the copies of others.
package final class ModelReplica: Sendable {
    /// Maximum number of copies; more would only cost memory.
    private static let maximumCount = min(max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))), 8)
    /// The number of requests that use each copy.
    private static let users = Mutex([Int](repeating: 0, count: maximumCount))

    /// The number of the copy, from 0.
    package let number: Int

    /// Takes the copy that has the fewest users, until this object is released.
    package init() {
        number = Self.users.withLock { users in
            let free = users.indices.min { users[$0] < users[$1] } ?? 0
            users[free] += 1
            return free
        }
    }

    deinit { Self.users.withLock { [number] in $0[number] -= 1 } }
}
