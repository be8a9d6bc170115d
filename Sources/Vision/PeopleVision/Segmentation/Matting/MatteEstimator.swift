package import Imaging

/// Runs the matting model, MODNet or the user's, on crops of frames.
package final class MatteEstimator: MatteSource {
    /// Maximum number of times that a frame is matted again with a larger crop; then the next frame has
    /// the larger one.
    private static let maximumRetries = 2

    private let plan: SegmentationPlan
    /// The models, which the estimator of another plan may use.
    let models: MattingModels
    private let paste = FeatheredPaste()
    private let morphology = MorphologyFilter()
    private let ensemble = MedianEnsemble()
    private let turned = FloatImage()
    /// The views of each frame that the model sees, in the order of the profile's passes.
    private let views: [View]
    private let moved = FloatImage()
    /// The motion to the next frame; nil before the first.
    private var motion: MotionField?
    /// Whether mattes of earlier frames can be used for the next one.
    private var isFollowed = false
    /// Whether the mask's edges move so fast that moved mattes are worse than the frame's own.
    private var isFast = false
    /// Frames since a view that not every frame has was made.
    private var framesSinceOther = 0

    /// Alpha of the last frame, 0...1, at the mask's size.
    package let matte = FloatImage()
    /// Alpha of the last frame by that of its two mattes which shows more; nil where there was one only.
    private(set) var greater: FloatImage?
    /// Memory of `greater`, and of its part in the crop, at the model's size.
    private let (greaterMatte, greaterAlpha) = (FloatImage(), FloatImage())
    /// The matte of a crop of one person.
    private let ownMatte = FloatImage()

    /// Creates an estimator for the sizes of `plan`.
    package convenience init(_ plan: SegmentationPlan, _ setup: ModelSetup) throws(VisionError) {
        try self.init(plan, try MattingModels(setup))
    }

    /// Creates an estimator for the sizes of `plan`, with models of which some may be compiled already.
    init(_ plan: SegmentationPlan, _ models: MattingModels) throws(VisionError) {
        (self.plan, self.models) = (plan, models)
        views = plan.profile.passes.flatMap { pass in
            (pass.isMirroredToo ? [false, true] : [false]).map { View(pass, isMirrored: $0) }
        }
        // In other cases a size is compiled when a frame needs it: one person's crop has another size, and
        // each takes time.
        guard models.setup.compilesInBackground || models.setup.hasUserModel else { return }
        for pass in plan.profile.passes {
            let whole = view(of: pass, CropPlanner()).input
            let hasOther = models.nearest(to: plan.frame) != nil
            if !hasOther || models.isReady(whole) { _ = try models.model(whole) }
        }
    }

    /// Mattes the people in the crop of `planner`; a crop that cuts a person is widened.
    ///
    /// The matte is the median of all passes. It may not reach far beyond the people of the first, coarse
    /// pass and of its mirror image. The only pass of a profile may be repeated with the mirror image, and the
    /// matte is the lesser of both: people look like people in the mirror, too, other things often do not.
    package func estimate(
        _ image: ImageView, orientation: ImageOrientation, andMirrorImage: Bool = false,
        _ planner: inout CropPlanner
    ) throws(VisionError) {
        matte.resize(width: plan.mask.width, height: plan.mask.height)
        if views.count == 1 {
            greater = andMirrorImage ? greaterMatte : nil
            try run(views[0], image, orientation, andMirrorImage: andMirrorImage, &planner)
        } else {
            try refresh(image, orientation, &planner)
            combine()
        }
        if MaskRule.toneCurve.isOn {
            matte.removeVeil()
            greater?.removeVeil()
        }
        models.finishFrame()
    }

    /// Makes the mattes that are due, or all of them where those of earlier frames could not move along.
    private func refresh(
        _ image: ImageView, _ orientation: ImageOrientation, _ planner: inout CropPlanner
    ) throws(VisionError) {
        chooseDue()
        let crop = planner.crop
        for view in views where view.isDue { try make(view, image, orientation, &planner) }
        if planner.crop != crop {
            // The crop cut a person, so the mattes of earlier frames show less than the new ones.
            for view in views where !view.isDue {
                view.isDue = true
                try make(view, image, orientation, &planner)
            }
        }
        isFollowed = plan.profile.spread != nil && MaskRule.spread.isOn
    }

    /// Chooses the views that are due: one of those that every frame has, and in some frames, in turns, one of the others.
    private func chooseDue() {
        guard let spread = plan.profile.spread, isFollowed else {
            for view in views { view.isDue = true }
            return framesSinceOther = 0
        }
        framesSinceOther += 1
        let isOtherDue = framesSinceOther >= (isFast ? spread.interval : spread.slowInterval)
        if isOtherDue { framesSinceOther = 0 }
        let own = oldest(where: \.pass.isOfEachFrame)
        let other = isOtherDue ? oldest { !$0.pass.isOfEachFrame } : nil
        for view in views { view.isDue = view === own || view === other }
    }

    private func oldest(where isIncluded: (View) -> Bool) -> View? {
        views.lazy.filter(isIncluded).max { $0.matte.age < $1.matte.age }
    }

    private func make(
        _ view: View, _ image: ImageView, _ orientation: ImageOrientation, _ planner: inout CropPlanner
    ) throws(VisionError) {
        try run(view, image, orientation, &planner)
        view.matte.image.copy(matte)
        if let motion { view.matte.begin(after: motion) }
    }

    /// Writes the median of all views into `matte`.
    private func combine() {
        ensemble.begin()
        let due = views.lazy.filter(\.isDue)
        guard let own = (due.first(where: \.pass.isOfEachFrame) ?? due.last)?.matte.image else { return }
        moved.resize(width: own.width, height: own.height)
        for view in views {
            if !view.isDue { view.matte.write(into: moved, besides: own) }
            ensemble.add(view.isDue ? view.matte.image : moved)
        }
        limit()
    }

    package func follow(_ matcher: BlockMatcher, changed: Bool) {
        motion = matcher.motion
        for view in views { view.matte.follow(matcher.motion) }
        guard plan.profile.spread != nil else { return }
        if changed || !views.allSatisfy({ $0.matte.isUsable(within: .matte, along: matcher) }) {
            isFollowed = false
        }
        isFast = matcher.isFast
    }

    /// Forgets the mattes of earlier frames, as the next frame does not follow the last.
    func reset() { isFollowed = false }

    /// Raises the matte to that of `crop`, which shows one person; leaves it where there are several passes, or the model is being
    /// compiled for that size.
    ///
    /// - Returns: whether the matte was raised.
    package func add(
        _ crop: Rectangle, of image: ImageView, orientation: ImageOrientation
    ) throws(VisionError) -> Bool {
        guard views.count == 1, case .people(let pixels, _) = views[0].pass.region else { return false }
        let (input, crop) = view(of: crop, pixels: pixels)
        guard models.isReady(input) else { return false }
        let region = FrameTransform.crop(crop).followed(by: .orientation(orientation))
        let alpha = try alpha(try models.model(input), image, region, mirrored: false)
        place(alpha, input, crop, in: ownMatte)
        if MaskRule.toneCurve.isOn { ownMatte.removeVeil() }
        for y in 0..<matte.height { matte.raise(row: y, to: ownMatte.row(y)) }
        return true
    }

    /// Clears the matte for a frame without people, at no cost.
    package func clear() {
        matte.resize(width: plan.mask.width, height: plan.mask.height)
        matte.fill(0)
        greater = nil
    }

    /// Mattes a view; with `andMirrorImage`, the matte is the lesser of those of the view and of its mirror image.
    private func run(
        _ wanted: View, _ image: ImageView, _ orientation: ImageOrientation, andMirrorImage: Bool = false,
        _ planner: inout CropPlanner
    ) throws(VisionError) {
        for _ in 0...Self.maximumRetries {
            let (input, crop) = readyView(of: wanted.pass, planner)
            let model = try models.model(input)
            let region = FrameTransform.crop(crop).followed(by: .orientation(orientation))
            let alpha =
                andMirrorImage
                ? try lesserAlpha(model, image, region)
                : try alpha(model, image, region, mirrored: wanted.isMirrored)
            place(alpha, input, crop, in: matte)
            if andMirrorImage {
                place(UnsafeBufferPointer(greaterAlpha.values), input, crop, in: greaterMatte)
            }
            let cut = CropEdges(cutting: alpha, width: input.width, height: input.height, crop: crop)
            if cut.isEmpty || !MaskRule.cropRetry.isOn { return }
            planner.widen(cut)
        }
    }

    /// Fills `target`, of the mask's size, with the alpha of a crop.
    private func place(
        _ alpha: UnsafeBufferPointer<Float>, _ input: MattingInput, _ crop: Rectangle, in target: FloatImage
    ) {
        target.resize(width: plan.mask.width, height: plan.mask.height)
        target.fill(0)
        paste.add(alpha, width: input.width, height: input.height, crop: crop, to: target)
    }

    /// Returns the model's alpha of a region, which is mirrored for the model if `mirrored`.
    private func alpha(
        _ model: ImageModel, _ image: ImageView, _ region: FrameTransform, mirrored: Bool
    ) throws(VisionError) -> UnsafeBufferPointer<Float> {
        try model.run(on: image, region: mirrored ? .mirrored.followed(by: region) : region)
        let alpha = try model.output(0, count: model.width * model.height)
        guard mirrored else { return alpha }
        turned.resize(width: model.width, height: model.height)
        turned.copy(mirrored: alpha)
        return UnsafeBufferPointer(turned.values)
    }

    /// Returns the lesser of the model's alphas of a region and of its mirror image, value by value; `greaterAlpha` is the greater.
    private func lesserAlpha(
        _ model: ImageModel, _ image: ImageView, _ region: FrameTransform
    ) throws(VisionError) -> UnsafeBufferPointer<Float> {
        greaterAlpha.resize(width: model.width, height: model.height)
        greaterAlpha.copy(try alpha(model, image, region, mirrored: false))
        let alpha = try alpha(model, image, region, mirrored: true)
        let (greater, lesser) = (greaterAlpha.base, turned.base)
        for i in 0..<turned.count {
            (greater[i], lesser[i]) = (max(greater[i], lesser[i]), min(greater[i], lesser[i]))
        }
        return alpha
    }

    /// Returns the view of a pass, or the whole frame while the size for a crop is being compiled.
    private func readyView(
        of pass: QualityProfile.MattePass, _ planner: CropPlanner
    ) -> (input: MattingInput, crop: Rectangle) {
        let wanted = view(of: pass, planner)
        if models.isReady(wanted.input) { return wanted }
        return (models.nearest(to: plan.frame) ?? wanted.input, .unit)
    }

    /// Returns the region that a pass sees, and its size.
    private func view(
        of pass: QualityProfile.MattePass, _ planner: CropPlanner
    ) -> (input: MattingInput, crop: Rectangle) {
        switch pass.region {
        case .frame(let side): return (fitted(MattingInput(frame: plan.frame, shortSide: side)), .unit)
        case .people(_, let groupSide)
        where planner.crop == .unit && planner.isGroup && MaskRule.cropGroup.isOn:
            return (fitted(MattingInput(frame: plan.frame, shortSide: groupSide)), .unit)
        case .people(let pixels, _) where planner.crop == .unit:
            return (fitted(MattingInput(frame: plan.frame, pixels: pixels)), .unit)
        case .people(let pixels, _): return view(of: planner.crop, pixels: pixels)
        }
    }

    /// Returns the region around a crop that has the shape of one of the model's sizes, and that size.
    private func view(of crop: Rectangle, pixels: Double) -> (input: MattingInput, crop: Rectangle) {
        let input = fitted(MattingInput(crop: crop.size(in: plan.frame), pixels: pixels))
        return (input, crop.widened(to: input.aspect(in: plan.frame)))
    }

    /// Returns the nearest size that the model takes.
    private func fitted(_ input: MattingInput) -> MattingInput { input.fitted(to: models.info.input) }

    /// Writes the median into `matte`, bounded by the coarse pass and its mirror image.
    private func limit() {
        ensemble.median(into: matte)
        guard MaskRule.firstPass.isOn, let bound = ensemble.greaterOfFirstTwo() else { return }
        // Soft values of the bound would clip hair, differently in every frame.
        bound.apply(CoverageLimits.possible)
        morphology.dilate(bound, radius: Int(CoverageLimits.outlineTolerance(of: matte).rounded()))
        for y in 0..<matte.height { matte.lower(row: y, to: bound.row(y)) }
    }
}

/// A view of a frame that the model sees.
private final class View {
    let pass: QualityProfile.MattePass
    let isMirrored: Bool
    /// The last matte of the view.
    let matte = MovingImage()
    /// Whether the view is computed for the current frame.
    var isDue = false

    init(_ pass: QualityProfile.MattePass, isMirrored: Bool) {
        (self.pass, self.isMirrored) = (pass, isMirrored)
    }
}

/// Estimates the alpha of the people in frames of a stream.
protocol MatteSource: AnyObject {
    /// Alpha of the last frame, 0...1, at the mask's size.
    var matte: FloatImage { get }
    /// Alpha of the last frame by that of its two mattes which shows more; nil where there was one only.
    var greater: FloatImage? { get }
    /// The models that it runs; the source of another plan may use them.
    var models: MattingModels { get }

    /// Mattes the people of a frame, who are in the crop of `planner`.
    ///
    /// - Parameter andMirrorImage: whether the mirror image is matted, too, where a source has one pass only.
    func estimate(
        _ image: ImageView, orientation: ImageOrientation, andMirrorImage: Bool,
        _ planner: inout CropPlanner
    ) throws(VisionError)

    /// Raises the matte to that of `crop`, which shows one person.
    ///
    /// - Returns: whether the matte was raised.
    func add(
        _ crop: Rectangle, of image: ImageView, orientation: ImageOrientation
    ) throws(VisionError) -> Bool

    /// Moves the state of earlier frames to the next one.
    ///
    /// - Parameters:
    ///   - motion: a matcher that has followed the next frame.
    ///   - changed: whether other people are in the next frame.
    func follow(_ motion: BlockMatcher, changed: Bool)

    /// Clears the matte for a frame without people, at no cost.
    func clear()

    /// Forgets the state, as the next frame does not follow the last.
    func reset()
}

extension FloatImage {
    /// Tone curve that removes a faint veil from the background and from people, up to 0.05 in mattes of MODNet and RVM.
    private static let tone = LinearStep(from: 1.0 / 22, to: 21.0 / 22)

    /// Removes the veil of a matte.
    func removeVeil() { apply(Self.tone) }
}
