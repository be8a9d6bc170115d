import Imaging

/// A detector finds people, MODNet mattes them in one look or several, and the small selfie model's close
/// looks at each tell what MODNet has missed and what is nobody.
final class MattingSegmenter: Segmenter {
    /// One look of MODNet; the mask is the middle one of three.
    ///
    /// Its time is in proportion to its pixels.
    struct Look {
        /// Pixels of a crop around the people; 0 to look at the whole frame always.
        let crop: Double
        /// Pixels of the shorter side of the whole frame with a group in it.
        let frameSide: Double
    }

    /// For video.
    static let quick = [Look(crop: 92_000, frameSide: 288)]
    /// For photographs: sizes and views err differently.
    static let thorough = [
        Look(crop: GroupMatter.pixels, frameSide: 352), Look(crop: 262_000, frameSide: 416),
        Look(crop: 0, frameSide: 512),
    ]

    /// How often one frame's crop may grow; after that it is the whole frame or good enough.
    private static let mostRetries = 2

    /// MODNet understands a picture of which its looks agree on this share; bags and blurred edges make
    /// for some disagreement in any.
    private static let understood = 0.85

    /// Height of people whom the crop is made for, as a share of the tallest person's.
    private static let foreground = 0.7

    private let plan: SegmentationPlan
    private let looks: [Look]
    private let scout: Scout
    private let crowd: Crowd
    private let closeUps: CloseUps
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
    private let view = FloatImage()
    private let mask = FloatImage()

    init(
        _ plan: SegmentationPlan, looks: [Look], _ setup: ModelSetup
    ) throws(VisionError) {
        self.plan = plan
        self.looks = looks
        // A model file of the user's takes MODNet's place; the small model stays.
        scout = try Scout(plan.scout, setup.withoutModelFile)
        matter = CropMatter(setup)
        crowd = try Crowd(setup)
        closeUps = CloseUps(setup)
        groups = GroupMatter(matter)
        for look in looks {
            try matter.prepare(ModelInput(modnetFor: plan.frame, shortSide: look.frameSide))
        }
    }

    func segment(
        _ image: ImageView, orientation: ImageOrientation, smoothing: Float
    ) throws(VisionError) -> FloatImage {
        if try !scout.look(at: image, orientation: orientation) { forget() }
        try crowd.look(at: image, orientation: orientation, scout)
        let people = crowd.extent(stature: Self.foreground)
        planner.update(people: people?.box, isGroup: people?.isGroup ?? false, matte: guardian.extent)
        try look(image, orientation)
        try lookClosely(image, orientation)
        if looks.count > 1, agreement.share < Self.understood {
            try groups.correct(mask, crowd, closeUps: closeUps.people, image, orientation: orientation)
            guardian.reset()
        } else {
            rescue.finish(mask)
            guardian.confine(mask, to: closeUps.people)
            guardian.dropStrays(from: mask, people: closeUps.people)
            patches.fill(mask, people: closeUps.people)
        }
        holes.fill(mask, people: closeUps.people)
        smoother.smooth(mask, still: scout.stillness.grid, strength: smoothing)
        return mask
    }

    /// Looks at everybody with the small model, and notes what the matte lacks of them.
    private func lookClosely(_ image: ImageView, _ orientation: ImageOrientation) throws(VisionError) {
        closeUps.begin(plan.closeUps)
        rescue.begin(mask, plan.closeUps)
        for person in crowd.people {
            try closeUps.look(at: person.box, of: image, orientation: orientation)
            rescue.add(closeUps.person, stature: person.stature)
        }
        closeUps.finish(with: scout.mask)
    }

    /// Fills `mask` with the middle one of all looks.
    private func look(_ image: ImageView, _ orientation: ImageOrientation) throws(VisionError) {
        mask.resize(width: plan.mask.width, height: plan.mask.height)
        agreement.begin(width: plan.closeUps.width, height: plan.closeUps.height)
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
            let input = isWhole ? wholeInput(look) : cropInput(look)
            let crop = isWhole ? .unit : planner.crop.widened(to: input.aspect(in: plan.frame))
            let cut = try matter.add(crop, of: image, orientation: orientation, input: input, to: view)
            if cut.isEmpty { return }
            planner.widen(cut)
        }
    }

    private func cropInput(_ look: Look) -> ModelInput {
        ModelInput(modnetFor: planner.crop.size(in: plan.frame), pixels: look.crop)
    }

    /// One person who fills the frame needs no more pixels than a crop has.
    private func wholeInput(_ look: Look) -> ModelInput {
        look.crop > 0 && planner.isOnePerson
            ? ModelInput(modnetFor: plan.frame, wholePixels: look.crop)
            : ModelInput(modnetFor: plan.frame, shortSide: look.frameSide)
    }

    func reset() {
        scout.reset()
        forget()
    }

    private func forget() {
        crowd.reset()
        planner.reset()
        guardian.reset()
        smoother.reset()
    }
}
