import Imaging
import Inference

/// One loaded segmentation model with its memory: frame in, mask out.
final class Segmenter {
    /// Everything that decides which model is loaded and how.
    struct Setup: Equatable {
        let plan: SegmentationPlan
        let device: String
        let threads: Int
        let modelPath: String?
    }

    let setup: Setup
    private let request: InferenceRequest
    private let sampler: TensorSampler
    private let writer = MaskWriter()

    init(_ setup: Setup) throws(VisionError) {
        self.setup = setup
        let info: ModelInfo
        do throws(InferenceError) {
            info = try Self.find(setup.plan.model, setup.modelPath)
            request = try InferenceRequest(Self.load(info, setup))
        } catch { throw .inference(error) }
        do throws(SamplingError) {
            sampler = try TensorSampler(TensorInput(info, setup.plan))
        } catch { throw .sampling(error) }
    }

    /// The model's description; `path` names a model file, or a directory to search first.
    static func find(_ name: String, _ path: String?) throws(InferenceError) -> ModelInfo {
        guard let path, ModelStore.isModelFile(path) else {
            return try ModelStore(directory: path).model(named: name)
        }
        return try ModelStore().model(atPath: path, like: name)
    }

    private static func load(_ info: ModelInfo, _ setup: Setup) throws(InferenceError) -> CompiledModel {
        var options = ComputeOptions()
        options.device = setup.device
        options.threads = setup.threads
        options.parallelism = setup.plan.parallelism
        let model = try Engine.shared.compiledModel(
            info, width: setup.plan.width, height: setup.plan.height, options: options)
        let count = setup.plan.width * setup.plan.height
        guard model.outputShapes.first?.reduce(1, *) == count else {
            throw .unsupportedModel(
                path: info.path,
                why: "its first output is \(model.outputShapes.first ?? []), not one value per input pixel")
        }
        return model
    }

    /// Writes the people of `image` into `mask`, which has the plan's size in stored orientation.
    func segment(
        _ image: ImageView, orientation: ImageOrientation, into mask: MaskView
    ) throws(VisionError) {
        let region = FrameTransform.orientation(orientation)
        do throws(SamplingError) {
            try sampler.sample(image, region: region, into: request.input)
        } catch { throw .sampling(error) }
        do throws(InferenceError) { try request.run() } catch { throw .inference(error) }
        do throws(MaskWriterError) {
            try writer.write(
                request.outputs[0], width: setup.plan.width, height: setup.plan.height, region: region,
                into: mask)
        } catch { throw .mask(error) }
    }
}

extension TensorInput {
    /// The tensor of a model that is asked to look at `plan`'s size.
    fileprivate init(_ info: ModelInfo, _ plan: SegmentationPlan) {
        self.init(
            width: plan.width, height: plan.height, layout: info.input.layout == .nchw ? .nchw : .nhwc,
            low: info.input.range.lowerBound, high: info.input.range.upperBound, filter: plan.filter)
    }
}
