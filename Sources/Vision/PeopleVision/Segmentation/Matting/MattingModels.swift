import Imaging
import Inference

/// The matting model, MODNet or the user's, compiled for the sizes that a stream needs.
package final class MattingModels {
    /// Maximum number of compiled sizes that are kept: at `accurate`, those of one shape of the crop and another one.
    ///
    /// Each takes some 70 MB, and each photo of a folder may need another one. Loading one takes as long as a run of it.
    private static let maximumCount = 4
    /// Maximum number where sizes are compiled in the background: all that crops have, so that the size of the whole frame stays
    /// for frames that do not wait for theirs.
    private static let maximumCountInBackground = 8

    let setup: ModelSetup
    /// The model's manifest.
    let info: ModelInfo
    private var models: ModelCache<MattingInput, ImageModel>
    private var compilation: (input: MattingInput, work: BackgroundCompilation)?
    /// The compilation of the size used last, for the first frame.
    private var guess: BackgroundCompilation?

    /// Finds the model, and begins to load the size that the first frame is likely to have: crops share few
    /// sizes.
    init(_ setup: ModelSetup) throws(VisionError) {
        self.setup = setup
        info = try setup.find(MattingInput.modelName)
        models = ModelCache(
            capacity: setup.compilesInBackground ? Self.maximumCountInBackground : Self.maximumCount)
        // Frames that do not wait for their size are first matted as a whole.
        guard !setup.compilesInBackground else { return }
        guess = BackgroundCompilation(last: info, parallelism: .wholeMachine, setup)
    }

    /// Returns the model for `input`, a size that it takes, and compiles it if necessary.
    func model(_ input: MattingInput) throws(VisionError) -> ImageModel {
        defer { if compilation?.input == input { compilation = nil } }
        let setup = setup
        return try models.model(input) { () throws(VisionError) in
            let model = try ImageModel(
                MattingInput.modelName, size: (input.width, input.height), parallelism: .wholeMachine, setup)
            // The output is read once now, so that a file with other outputs is refused when it is loaded.
            _ = try model.output(0, count: model.width * model.height)
            return model
        }
    }

    /// Ends a frame: the model that was loaded for the first frame and not used is released, and sizes that were not used for
    /// long.
    func finishFrame() {
        if guess?.isFinished == true { guess = nil }
        if !setup.compilesInBackground { models.endFrame() }
    }

    /// Whether `model(input)` returns the model at once, or frames are to wait for it.
    ///
    /// If not, a thread begins to compile the model, unless it is still busy with another one.
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

    /// Returns the compiled size whose shape is nearest to that of a frame of `size`; nil without any.
    func nearest(to size: Size) -> MattingInput? {
        let aspect = size.width / max(size.height, .leastNormalMagnitude)
        return models.keys.min { $0.distance(to: aspect) < $1.distance(to: aspect) }
    }
}
