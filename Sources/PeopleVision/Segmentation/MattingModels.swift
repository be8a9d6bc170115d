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
        let setup = setup
        return try models.model(input) { () throws(VisionError) in
            let model = try ImageModel(
                MattingInput.modelName, size: (input.width, input.height), parallelism: .wholeMachine, setup)
            // Asked for once now, so that a file which does not fit is refused when it is loaded.
            _ = try model.output(0, count: input.width * input.height)
            return model
        }
    }

    /// `wanted` if it is compiled, or if frames wait for that.
    ///
    /// - Returns: nil while a thread compiles it.
    func available(_ wanted: MattingInput) -> MattingInput? {
        guard setup.compilesInBackground, !models.contains(wanted) else { return wanted }
        if let compilation {
            guard compilation.work.isFinished else { return nil }
            // Kept until the model is taken over below.
            if compilation.input == wanted { return wanted }
        }
        let setup = setup
        let work = BackgroundCompilation { () throws(VisionError) in
            try setup.compile(
                setup.find(MattingInput.modelName), width: wanted.width, height: wanted.height,
                parallelism: .wholeMachine)
        }
        compilation = (wanted, work)
        return nil
    }

    /// The compiled size whose shape is nearest to that of a frame of `size`; nil without any.
    func nearest(to size: Size) -> MattingInput? {
        let aspect = size.width / max(size.height, .leastNormalMagnitude)
        return models.keys.min { $0.distance(to: aspect) < $1.distance(to: aspect) }
    }
}
