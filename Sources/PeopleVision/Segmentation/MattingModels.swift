import Imaging
import Inference

/// The matting model, MODNet, compiled for the sizes that a stream needs.
final class MattingModels {
    /// Compiled sizes that are kept: what a group takes whose crop changes its shape.
    private static let most = 8

    let setup: ModelSetup
    private var models = ModelCache<MattingInput, ImageModel>(capacity: most)
    private var compilation: (input: MattingInput, work: BackgroundCompilation)?

    init(_ setup: ModelSetup) { self.setup = setup }

    /// The model for `input`; compiled now if it is not yet.
    func model(_ input: MattingInput) throws(VisionError) -> ImageModel {
        defer { if compilation?.input == input { compilation = nil } }
        let setup = setup
        return try models.model(input) { () throws(VisionError) in
            let model = try ImageModel(
                MattingInput.modelName, size: (input.width, input.height), parallelism: .wholeMachine, setup)
            // Asked for once now, so that a file which does not fit is refused when it is loaded.
            _ = try model.output(0, count: input.width * input.height)
            return model
        }
    }

    /// Whether `model(input)` has the model at once, or frames are to wait for it.
    ///
    /// Where it says no, a thread begins to compile the model, unless it is still busy with another one.
    func isReady(_ input: MattingInput) -> Bool {
        guard setup.compilesInBackground, !models.contains(input) else { return true }
        if let compilation {
            guard compilation.work.isFinished else { return false }
            if compilation.input == input { return true }
        }
        let work = BackgroundCompilation(
            MattingInput.modelName, width: input.width, height: input.height, parallelism: .wholeMachine,
            setup)
        compilation = (input, work)
        return false
    }

    /// The compiled size whose shape is nearest to that of a frame of `size`; nil without any.
    func nearest(to size: Size) -> MattingInput? {
        let aspect = size.width / max(size.height, .leastNormalMagnitude)
        return models.keys.min { $0.distance(to: aspect) < $1.distance(to: aspect) }
    }
}
