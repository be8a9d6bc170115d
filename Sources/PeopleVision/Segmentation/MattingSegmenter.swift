import Imaging

/// The small model finds people on every frame; MODNet looks at them closely, once or several times.
final class MattingSegmenter: Segmenter {
    /// One look of MODNet; the mask is the mean of all.
    struct Look {
        /// What is looked at.
        enum Field { case people, frame }
        let field: Field
        /// Pixels that MODNet sees: its time is in proportion.
        let pixels: Int
    }

    /// For video.
    static let quick = [Look(field: .people, pixels: 92_000)]
    /// For photographs: sizes and views err differently.
    static let thorough = [
        Look(field: .people, pixels: 92_000), Look(field: .people, pixels: 262_000),
        Look(field: .frame, pixels: 350_000),
    ]

    private let plan: SegmentationPlan
    private let looks: [Look]
    private let scout: Scout
    private let planner = CropPlanner()
    private let matter: CropMatter
    private let guardian = MatteGuard()
    private let smoother = TemporalMaskFilter()
    private let parts = MaskParts()
    private let view = MaskGrid()
    private let mask = MaskGrid()

    init(
        _ plan: SegmentationPlan, looks: [Look], _ setup: SegmentationModel.Setup
    ) throws(VisionError) {
        self.plan = plan
        self.looks = looks
        // A model file of the user's takes MODNet's place; the small model stays.
        scout = try Scout(plan.scout, setup.withoutModelFile)
        matter = CropMatter(setup)
        for look in looks {
            try matter.prepare(ModelInput(modnetFor: plan.frame, pixels: look.pixels))
        }
    }

    func segment(
        _ image: ImageView, orientation: ImageOrientation, smoothing: Float
    ) throws(VisionError) -> MaskGrid {
        if try !scout.look(at: image, orientation: orientation) { forget() }
        planner.update(
            scout.parts, width: scout.mask.width, height: scout.mask.height, atLeast: scout.smallestArea)
        mask.resize(width: plan.mask.width, height: plan.mask.height)
        mask.fill(0)
        for look in looks {
            try take(look, image, orientation)
            mask.add(view, share: 1 / Float(looks.count))
        }
        dropStrays()
        smoother.smooth(mask, still: scout.stillness.grid, strength: smoothing)
        return mask
    }

    /// Fills `view` with what MODNet sees.
    private func take(
        _ look: Look, _ image: ImageView, _ orientation: ImageOrientation
    ) throws(VisionError) {
        view.resize(width: mask.width, height: mask.height)
        view.fill(0)
        if look.field == .frame {
            try add(.unit, image, orientation, pixels: look.pixels)
        } else {
            for crop in planner.crops {
                try add(crop, image, orientation, pixels: look.pixels / planner.crops.count)
            }
        }
    }

    private func add(
        _ crop: Rectangle, _ image: ImageView, _ orientation: ImageOrientation, pixels: Int
    ) throws(VisionError) {
        let size = Size(width: crop.width * plan.frame.width, height: crop.height * plan.frame.height)
        let input = ModelInput(modnetFor: size, pixels: pixels)
        try matter.add(crop, of: image, orientation: orientation, input: input, to: view)
    }

    func reset() {
        scout.reset()
        forget()
    }

    private func forget() {
        planner.reset()
        smoother.reset()
    }

    /// Clears what is no person: what the small model sees nothing of, specks, and haze.
    private func dropStrays() {
        guardian.apply(to: mask, people: scout.mask)
        parts.find(in: mask, above: Scout.certain)
        let share = Scout.smallestArea(parts.largestArea, of: mask.count)
        parts.keep(atLeast: share, distance: max(mask.width, mask.height) / 40, in: mask)
    }
}
