import Imaging
import Inference

/// A loaded model that gives one value per input pixel, with its memory.
package final class SegmentationModel {
    /// Everything but the model itself that decides how it is loaded.
    package struct Setup: Equatable {
        let device: String
        let threads: Int
        let modelPath: String?

        /// A setup; `modelPath` names a model file, or a directory to search first.
        package init(device: String, threads: Int, modelPath: String?) {
            (self.device, self.threads, self.modelPath) = (device, threads, modelPath)
        }

        /// The same without a model file of the user's, which takes one model's place only.
        var withoutModelFile: Setup {
            let isFile = modelPath.map(ModelStore.isModelFile) ?? false
            return Setup(device: device, threads: threads, modelPath: isFile ? nil : modelPath)
        }
    }

    /// Size of input and output.
    let input: ModelInput
    /// The tensor to fill.
    var tensor: UnsafeMutableBufferPointer<Float> { request.input }
    /// What the tensor looks like.
    let tensorInput: TensorInput
    private let request: InferenceRequest

    init(_ input: ModelInput, _ setup: Setup) throws(VisionError) {
        self.input = input
        do throws(InferenceError) {
            let info = try Self.find(input.name, setup.modelPath)
            request = try InferenceRequest(Self.load(info, input, setup))
            tensorInput = TensorInput(info, input)
        } catch { throw .inference(error) }
    }

    /// The model's description; `path` names a model file, or a directory to search first.
    static func find(_ name: String, _ path: String?) throws(InferenceError) -> ModelInfo {
        guard let path, ModelStore.isModelFile(path) else {
            return try ModelStore(directory: path).model(named: name)
        }
        return try ModelStore().model(atPath: path, like: name)
    }

    private static func load(
        _ info: ModelInfo, _ input: ModelInput, _ setup: Setup
    ) throws(InferenceError) -> CompiledModel {
        var options = ComputeOptions()
        options.device = setup.device
        options.threads = setup.threads
        options.parallelism = input.parallelism
        let model = try Engine.shared.compiledModel(
            info, width: input.width, height: input.height, options: options)
        guard model.outputShapes.first?.reduce(1, *) == input.width * input.height else {
            throw .unsupportedModel(
                path: info.path,
                why: "its first output is \(model.outputShapes.first ?? []), not one value per input pixel")
        }
        return model
    }

    /// Runs the model on what is in `tensor`.
    ///
    /// - Returns: coverage, row by row; valid until the next run.
    func run() throws(VisionError) -> UnsafeBufferPointer<Float> {
        do throws(InferenceError) { try request.run() } catch { throw .inference(error) }
        return request.outputs[0]
    }
}

extension TensorInput {
    /// The tensor of a model that is run at `input`'s size.
    fileprivate init(_ info: ModelInfo, _ input: ModelInput) {
        self.init(
            width: input.width, height: input.height, layout: info.input.layout == .nchw ? .nchw : .nhwc,
            low: info.input.range.lowerBound, high: info.input.range.upperBound, filter: input.filter)
    }
}
