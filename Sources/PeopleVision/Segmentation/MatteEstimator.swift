package import Imaging

/// Runs the matting model, MODNet, on crops of frames.
package final class MatteEstimator {
    /// Compiled sizes that are kept: what a group takes whose crop changes its shape.
    private static let mostModels = 8

    private let plan: SegmentationPlan
    private let setup: ModelSetup
    private var models = ModelCache<MattingInput, ImageModel>(capacity: mostModels)
    private let paste = FeatheredPaste()
    private let morphology = MorphologyFilter()
    private let ensemble = MedianEnsemble()
    /// The coarse pass.
    private let bound = FloatImage()
    private let averaged = FloatImage()

    /// Alpha of the last frame, 0...1, at the mask's size.
    package let matte = FloatImage()

    /// Loads the sizes for whole frames, so that the first frame does not wait for these.
    package init(_ plan: SegmentationPlan, _ setup: ModelSetup) throws(VisionError) {
        (self.plan, self.setup) = (plan, setup)
        for pass in plan.profile.passes {
            _ = try model(MattingInput(frame: plan.frame, shortSide: pass.frameSide))
        }
    }

    /// Mattes the people in the crop of `planner`; a crop that cuts a person is widened.
    ///
    /// The matte is the median of all passes, and may not reach far beyond the people of the first, coarse one.
    package func estimate(
        _ image: ImageView, orientation: ImageOrientation, _ planner: inout CropPlanner
    ) throws(VisionError) {
        matte.resize(width: plan.mask.width, height: plan.mask.height)
        let isEnsemble = plan.profile.passes.count > 1
        ensemble.begin()
        for (index, pass) in plan.profile.passes.enumerated() {
            try run(pass, image, orientation, &planner)
            if isEnsemble { ensemble.add(matte) }
            if isEnsemble, index == 0 { bound.copy(matte) }
        }
        if isEnsemble { limit() }
        matte.apply(plan.profile.fusion.matte)
    }

    /// A frame without people: the matte is empty, at no cost.
    package func clear() {
        matte.resize(width: plan.mask.width, height: plan.mask.height)
        matte.fill(0)
    }

    private func run(
        _ pass: QualityProfile.MattePass, _ image: ImageView, _ orientation: ImageOrientation,
        _ planner: inout CropPlanner
    ) throws(VisionError) {
        for _ in 0...plan.profile.crop.mostRetries {
            let (input, crop) = view(of: pass, planner)
            let model = try model(input)
            let alpha = try alpha(model, image, .crop(crop).followed(by: .orientation(orientation)))
            matte.fill(0)
            paste.add(alpha, width: input.width, height: input.height, crop: crop, to: matte)
            let cut = CropEdges(cutting: alpha, width: input.width, height: input.height, crop: crop)
            if cut.isEmpty { return }
            planner.widen(cut)
        }
    }

    /// The model's alpha of a region; where the profile says so, its mean with that of the region's mirror image.
    private func alpha(
        _ model: ImageModel, _ image: ImageView, _ region: FrameTransform
    ) throws(VisionError) -> UnsafeBufferPointer<Float> {
        let count = model.width * model.height
        try model.run(on: image, region: region)
        guard plan.profile.averagesMirrored else { return try model.output(0, count: count) }
        averaged.resize(width: model.width, height: model.height)
        averaged.copy(try model.output(0, count: count))
        try model.run(on: image, region: .mirrored.followed(by: region))
        averaged.average(mirrored: try model.output(0, count: count))
        return UnsafeBufferPointer(averaged.values)
    }

    /// What a pass sees, and at which size.
    private func view(
        of pass: QualityProfile.MattePass, _ planner: CropPlanner
    ) -> (input: MattingInput, crop: Rectangle) {
        guard let pixels = pass.cropPixels else {
            return (MattingInput(frame: plan.frame, shortSide: pass.frameSide), .unit)
        }
        guard planner.crop == .unit else {
            let input = MattingInput(crop: planner.crop.size(in: plan.frame), pixels: pixels)
            return (input, planner.crop.widened(to: input.aspect(in: plan.frame)))
        }
        // One person who fills the frame needs no more pixels than a crop has.
        let input =
            planner.isGroup
            ? MattingInput(frame: plan.frame, shortSide: pass.frameSide)
            : MattingInput(frame: plan.frame, pixels: pixels)
        return (input, .unit)
    }

    /// Takes over the median, as far as the coarse pass allows.
    private func limit() {
        let reach = plan.profile.fusion.refinement * Double(max(matte.width, matte.height))
        // Without its soft values, which would clip hair, differently in every frame.
        bound.apply(plan.profile.fusion.possible)
        morphology.dilate(bound, radius: Int(reach.rounded()))
        matte.copy(ensemble.median)
        for y in 0..<matte.height { matte.lower(row: y, to: bound.row(y)) }
    }

    private func model(_ input: MattingInput) throws(VisionError) -> ImageModel {
        let setup = setup
        return try models.model(input) { () throws(VisionError) in
            let model = try ImageModel(
                "modnet", size: (input.width, input.height), parallelism: .wholeMachine, setup)
            // Asked for once now, so that a file which does not fit is refused when it is loaded.
            _ = try model.output(0, count: input.width * input.height)
            return model
        }
    }
}
