package import Imaging
import Inference

/// Runs a recurrent matting model on whole frames; the state that it carries from frame to frame stays in its
/// request.
package final class RecurrentMatteEstimator: MatteSource {
    private let plan: SegmentationPlan
    private let input: MattingInput
    private let paste = FeatheredPaste()
    /// The model of the last frame; nil where the next frame does not follow one.
    private var last: ImageModel?

    /// The models, which the estimator of another plan may use.
    let models: MattingModels
    /// Alpha of the last frame, 0...1, at the mask's size.
    package let matte = FloatImage()

    /// Loads the model, so that the first frame does not wait for it.
    package convenience init(_ plan: SegmentationPlan, _ setup: ModelSetup) throws(VisionError) {
        try self.init(plan, try MattingModels(setup))
    }

    /// Creates an estimator with a model that may be compiled already, for frames of this or another size.
    init(_ plan: SegmentationPlan, _ models: MattingModels) throws(VisionError) {
        (self.plan, self.models) = (plan, models)
        let side = plan.profile.recurrentSide / (try models.info.downsampleRatio())
        input = MattingInput(frame: plan.frame, longSide: side).fitted(to: models.info.input)
        let hasOther = models.nearest(to: plan.frame) != nil
        if !hasOther || models.isReady(input) { _ = try models.model(input) }
    }

    /// Width and height of the model's input, in pixels.
    package var inputSize: [Int] { [input.width, input.height] }

    /// Mattes the whole frame, wherever its people are.
    package func estimate(
        _ image: ImageView, orientation: ImageOrientation, andMirrorImage: Bool = false,
        _ planner: inout CropPlanner
    ) throws(VisionError) {
        let ready = models.isReady(input) ? input : models.nearest(to: plan.frame) ?? input
        let model = try models.model(ready)
        if model !== last { model.reset() }
        last = model
        try model.run(on: image, region: .orientation(orientation))
        let alpha = try model.output(0, count: model.width * model.height)
        empty()
        paste.add(alpha, width: model.width, height: model.height, crop: .unit, to: matte)
        matte.removeVeil()
        models.finishFrame()
    }

    /// Clears the matte for a frame without people, at no cost; the model's state starts again when people
    /// come.
    package func clear() {
        empty()
        reset()
    }

    /// Forgets the state, as the next frame does not follow the last.
    package func reset() { last = nil }

    func add(_ crop: Rectangle, of image: ImageView, orientation: ImageOrientation) -> Bool { false }

    func follow(_ motion: BlockMatcher, changed: Bool) {}

    var greater: FloatImage? { nil }

    private func empty() {
        matte.resize(width: plan.mask.width, height: plan.mask.height)
        matte.fill(0)
    }
}

extension ModelInfo {
    /// Returns the size of the frame that a recurrent model uses inside, as a share of its input's size;
    /// 1 where its manifest has none.
    fileprivate func downsampleRatio() throws(VisionError) -> Double {
        guard let entry = facts["downsampleRatio"] else { return 1 }
        guard let ratio = entry.number, (0.05...1).contains(ratio) else {
            throw unsupported("its \"downsampleRatio\" must be a number from 0.05 to 1")
        }
        return ratio
    }
}

extension QualityProfile {
    /// The longer side of frames inside a recurrent matting model, in pixels.
    ///
    /// RVM's authors work with 256 to 512; the time is in proportion to the square.
    fileprivate var recurrentSide: Double { passes.count > 1 ? 512 : 288 }
}
