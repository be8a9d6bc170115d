import Imaging

/// The small model finds people on every frame; MODNet looks at them closely, once or several times.
final class MattingSegmenter: Segmenter {
    /// One look of MODNet; the mask is the middle one of three.
    ///
    /// Its time is in proportion to its pixels.
    struct Look {
        /// Pixels of a crop around the people; 0 to look at the whole frame always.
        let crop: Double
        /// Pixels of the shorter side of the whole frame.
        let frameSide: Double
    }

    /// For video.
    static let quick = [Look(crop: 92_000, frameSide: 288)]
    /// For photographs: sizes and views err differently.
    static let thorough = [
        Look(crop: 92_000, frameSide: 288), Look(crop: 262_000, frameSide: 416),
        Look(crop: 0, frameSide: 512),
    ]

    /// How often one frame's crop may grow; after that it is the whole frame or good enough.
    private static let mostRetries = 2

    /// MODNet understands a picture of which its looks agree on this share; bags and blurred edges make
    /// for some disagreement in any.
    private static let understood = 0.8

    private let plan: SegmentationPlan
    private let looks: [Look]
    private let scout: Scout
    private let planner = CropPlanner()
    private let matter: CropMatter
    private let groups: GroupMatter
    private let middle = MiddleLook()
    private let agreement = LookAgreement()
    private let rescue = MatteRescue()
    private let patches = MattePatches()
    private let holes = MatteHoles()
    private let guardian = MatteGuard()
    private let smoother = TemporalMaskFilter()
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
        groups = GroupMatter(frame: plan.frame, setup)
        for look in looks {
            try matter.prepare(ModelInput(modnetFor: plan.frame, shortSide: look.frameSide))
        }
    }

    func segment(
        _ image: ImageView, orientation: ImageOrientation, smoothing: Float
    ) throws(VisionError) -> MaskGrid {
        if try !scout.look(at: image, orientation: orientation) { forget() }
        planner.update(
            scout.parts, width: scout.mask.width, height: scout.mask.height, atLeast: scout.smallestArea,
            matte: guardian.extent)
        try look(image, orientation)
        if looks.count > 1, agreement.share < Self.understood,
            try groups.correct(mask, people: scout.mask, image, orientation: orientation)
        {
            guardian.reset()
        } else {
            rescue.apply(
                to: mask, people: scout.mask, parts: scout.parts, smallestArea: scout.smallestArea)
            guardian.dropStrays(from: mask, people: scout.mask)
            patches.fill(mask, people: scout.mask)
        }
        holes.fill(mask, people: scout.mask)
        smoother.smooth(mask, still: scout.stillness.grid, strength: smoothing)
        return mask
    }

    /// Fills `mask` with the middle one of all looks.
    private func look(_ image: ImageView, _ orientation: ImageOrientation) throws(VisionError) {
        mask.resize(width: plan.mask.width, height: plan.mask.height)
        agreement.begin(width: groups.extent.width, height: groups.extent.height)
        middle.begin()
        for look in looks {
            try take(look, image, orientation)
            middle.add(view, to: mask)
            if looks.count > 1 { agreement.add(view) }
        }
        if looks.count > 1 { mask.apply(.matte) }
    }

    /// Fills `view` with what MODNet sees; a crop that cuts somebody off is made larger.
    private func take(
        _ look: Look, _ image: ImageView, _ orientation: ImageOrientation
    ) throws(VisionError) {
        for _ in 0...Self.mostRetries {
            view.resize(width: mask.width, height: mask.height)
            view.fill(0)
            let isWhole = look.crop == 0 || planner.crop == .unit
            let input =
                isWhole
                ? ModelInput(modnetFor: plan.frame, shortSide: look.frameSide)
                : ModelInput(modnetFor: planner.crop.size(in: plan.frame), pixels: look.crop)
            let crop = isWhole ? .unit : planner.crop.widened(to: input.aspect(in: plan.frame))
            let cut = try matter.add(crop, of: image, orientation: orientation, input: input, to: view)
            if cut.isEmpty { return }
            planner.widen(cut)
        }
    }

    func reset() {
        scout.reset()
        forget()
    }

    private func forget() {
        planner.reset()
        guardian.reset()
        smoother.reset()
    }
}
