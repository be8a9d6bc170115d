import Glibc
package import Inference
import Synchronization

/// Everything but the model itself that decides how it is loaded.
package struct ModelSetup: Equatable, Sendable {
    /// OpenVINO's device: `CPU`, `GPU`, `NPU`, `AUTO`.
    let device: String
    /// Threads for inference; 0 for as many as suit the model.
    let threads: Int
    /// A model of the user's: its file, or the name of a prepared one; or a directory to search first.
    private(set) var modelPath: String?
    /// The arithmetic that models may be run in.
    let precision: ModelPrecision
    /// Whether frames are analysed with other sizes of a model while a thread compiles the best one.
    let compilesInBackground: Bool
    /// Which copy of the small models is used.
    private(set) var replica = 0
    /// Where requests share what the person detector finds; nil for a request of its own.
    private(set) var detections: SharedDetections?

    /// A setup; `modelPath` names a model or its file, or a directory to search first.
    package init(
        device: String, threads: Int, modelPath: String?, precision: ModelPrecision = .automatic,
        compilesInBackground: Bool = false
    ) {
        (self.device, self.threads, self.modelPath) = (device, threads, modelPath)
        (self.precision, self.compilesInBackground) = (precision, compilesInBackground)
    }

    /// This setup with a copy of the small models.
    func using(_ replica: ModelReplica) -> ModelSetup {
        var setup = self
        setup.replica = replica.number
        return setup
    }

    /// This setup for requests that look at the same frames.
    func sharing(_ detections: SharedDetections?) -> ModelSetup {
        var setup = self
        setup.detections = detections
        return setup
    }

    /// This setup without a model of the user's.
    ///
    /// A request with several models lets the user's replace one of them; the others are loaded with this.
    var withoutUserModel: ModelSetup {
        var setup = self
        if hasUserModel { setup.modelPath = nil }
        return setup
    }

    /// Whether a model of the user's stands in for one of the models.
    var hasUserModel: Bool { modelPath.map(ModelStore.isModel) ?? false }

    /// The description of the model called `name`, or of the user's in its place; loads nothing.
    ///
    /// - Throws: `VisionError.inference` when a file is missing or damaged.
    func find(_ name: String) throws(VisionError) -> ModelInfo {
        do throws(InferenceError) {
            if let modelPath, ModelStore.isModel(modelPath) {
                let isFile = ModelStore.isModelFile(modelPath)
                return try ModelStore(precision: isFile ? .float32 : allowed).model(modelPath, like: name)
            }
            try ModelStore.checkAsked(modelPath, for: name)
            return try ModelStore(directory: modelPath, precision: allowed).model(named: name)
        } catch { throw .inference(error) }
    }

    /// 8-bit models are checked on processors when they are prepared, and on no other device.
    private var allowed: ModelPrecision { device.hasPrefix("CPU") ? precision : .float32 }

    /// A request of the model that `info` describes, compiled for this setup.
    ///
    /// - Parameters:
    ///   - width: of an image input in pixels; needed where the model leaves it free.
    ///   - height: likewise.
    ///   - parallelism: a thread for small models, the whole machine for heavy ones.
    /// - Throws: `VisionError.inference` when the model cannot be compiled.
    func load(
        _ info: ModelInfo, width: Int? = nil, height: Int? = nil,
        parallelism: ComputeOptions.Parallelism = .oneThread
    ) throws(VisionError) -> InferenceRequest {
        let model = try compile(info, width: width, height: height, parallelism: parallelism)
        do throws(InferenceError) { return try InferenceRequest(model) } catch { throw .inference(error) }
    }

    /// The compiled model without a request; the process compiles it once.
    func compile(
        _ info: ModelInfo, width: Int? = nil, height: Int? = nil,
        parallelism: ComputeOptions.Parallelism = .oneThread
    ) throws(VisionError) -> CompiledModel {
        do throws(InferenceError) {
            return try Engine.shared.compiledModel(
                info, width: width, height: height, options: options(parallelism))
        } catch { throw .inference(error) }
    }

    /// The compiled model in the size that was used last; nil where the cache has none, or it cannot be used.
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
    /// Computes the outputs from the input.
    func infer() throws(VisionError) {
        do throws(InferenceError) { try run() } catch { throw .inference(error) }
    }

    /// The values of output `index`; valid until the next run.
    ///
    /// To be asked for once when the model is loaded, so that a file which does not fit is refused then.
    ///
    /// - Throws: `InferenceError.unsupportedModel` when they are not `count`.
    func output(_ index: Int, count: Int) throws(VisionError) -> UnsafeBufferPointer<Float> {
        guard outputs.indices.contains(index), outputs[index].count == count else {
            let shapes = model.outputShapes
            let found = shapes.indices.contains(index) ? "\(shapes[index])" : "missing"
            throw unsupported("its output \(index) is \(found), not \(count) values")
        }
        return outputs[index]
    }

    /// The model cannot be used, because `why`.
    func unsupported(_ why: String) -> VisionError {
        .inference(.unsupportedModel(path: model.info.path, why: why))
    }
}

/// Settings of all requests: where their models run and come from.
public protocol InferenceConfiguration: Sendable, Equatable {
    /// OpenVINO's device: `CPU`, `GPU`, `NPU`, `AUTO`.
    var device: String { get set }
    /// Threads for inference, 0 for as many as suit the models.
    var threads: Int { get set }
    /// A model to use instead of the built-in one, or a directory of models.
    var modelPath: String? { get set }
}

/// The models of a request, which stay loaded while the settings that they depend on stay the same.
struct LoadedModels<Models> {
    private var loaded: (setup: ModelSetup, models: Models)?

    /// The models for `setup`; reloaded when it is another one than the last time.
    mutating func models(
        _ setup: ModelSetup, load: (ModelSetup) throws(VisionError) -> Models
    ) throws(VisionError) -> Models {
        if let loaded, loaded.setup == setup { return loaded.models }
        let models = try load(setup)
        loaded = (setup, models)
        return models
    }

    /// Those that are loaded; nil without any.
    var current: Models? { loaded?.models }

    /// Releases them.
    mutating func unload() { loaded = nil }
}

/// Which of several equal copies of the small models a request runs.
///
/// A copy runs one inference at a time, on one thread: requests that may run side by side have different copies, as far as
/// there are cores. A copy is compiled when a request needs it, so that the first request does not load those of others.
package final class ModelReplica: Sendable {
    /// More copies than this only cost memory.
    private static let maximumCount = min(max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))), 8)
    /// The number of requests that have each copy.
    private static let users = Mutex([Int](repeating: 0, count: maximumCount))

    /// The number of the copy, from 0.
    package let number: Int

    /// The copy that has the fewest users, until this object goes.
    package init() {
        number = Self.users.withLock { users in
            let free = users.indices.min { users[$0] < users[$1] } ?? 0
            users[free] += 1
            return free
        }
    }

    deinit { Self.users.withLock { [number] in $0[number] -= 1 } }
}
