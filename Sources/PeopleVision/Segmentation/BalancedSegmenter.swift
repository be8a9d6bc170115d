import Imaging

/// The small model finds people on every frame; MODNet looks at them closely.
final class BalancedSegmenter: Segmenter {
    /// Pixels that MODNet sees per frame: its time is in proportion.
    static let budget = 83_000

    private let plan: SegmentationPlan
    private let scout: Scout
    private let planner = CropPlanner()
    private let matter: CropMatter
    private let smoother = TemporalMaskFilter()
    private let parts = MaskParts()
    private let mask = MaskGrid()

    init(_ plan: SegmentationPlan, _ setup: SegmentationModel.Setup) throws(VisionError) {
        self.plan = plan
        // A model file of the user's takes MODNet's place; the small model stays.
        scout = try Scout(plan.scout, setup.withoutModelFile)
        matter = CropMatter(setup)
        try matter.prepare(ModelInput(modnetFor: plan.frame, pixels: Self.budget))
    }

    func segment(
        _ image: ImageView, orientation: ImageOrientation, smoothing: Float
    ) throws(VisionError) -> MaskGrid {
        if try !scout.look(at: image, orientation: orientation) { forget() }
        planner.update(
            scout.parts, width: scout.mask.width, height: scout.mask.height, atLeast: scout.smallestArea)
        mask.resize(width: plan.mask.width, height: plan.mask.height)
        mask.fill(0)
        for crop in planner.crops {
            let size = Size(width: crop.width * plan.frame.width, height: crop.height * plan.frame.height)
            let input = ModelInput(modnetFor: size, pixels: Self.budget / planner.crops.count)
            try matter.add(crop, of: image, orientation: orientation, input: input, to: mask)
        }
        dropStrays()
        smoother.smooth(mask, still: scout.stillness.grid, strength: smoothing)
        return mask
    }

    func reset() {
        scout.reset()
        forget()
    }

    /// Clears what is no person: specks, and haze far from everyone.
    private func dropStrays() {
        parts.find(in: mask, above: Scout.certain)
        let share = Scout.smallestArea(parts.largestArea, of: mask.count)
        parts.keep(atLeast: share, distance: max(mask.width, mask.height) / 40, in: mask)
    }

    private func forget() {
        planner.reset()
        smoother.reset()
    }
}
