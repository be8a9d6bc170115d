import Inference

/// The models of a quality level: its own, and the user's in the place that its kind names.
struct SegmentationSetup: Equatable {
    /// Setup of the coarse models, which find coverage of a frame or of a person.
    let coarse: ModelSetup
    /// Setup of the matting model.
    let matting: ModelSetup
    /// Whether the matting model carries states from frame to frame.
    let isRecurrent: Bool

    /// Determines the models.
    ///
    /// - Throws: `VisionError.inference` when the user's model is missing, or of no use to the level.
    init(_ setup: ModelSetup, _ profile: QualityProfile) throws(VisionError) {
        let kind = try setup.userModelKind(mattes: !profile.passes.isEmpty)
        coarse = kind == .segmentation ? setup : setup.withoutUserModel
        matting = kind == .segmentation ? setup.withoutUserModel : setup
        isRecurrent = kind == .recurrentMatting
    }

    /// Finds the files of the models that a plan runs, without loading them.
    func check(_ plan: SegmentationPlan) throws(VisionError) {
        _ = try coarse.find(plan.coarseModel.rawValue)
        guard !plan.profile.passes.isEmpty else { return }
        _ = try coarse.find(CoarseModel.square.rawValue)
        _ = try coarse.withoutUserModel.find(PersonDetector.name)
        try FaceFinder.check(coarse)
        _ = try matting.find(MattingInput.modelName)
        try PromptedSegmenter.check(coarse)
    }
}

/// The task of a network, as in its manifest under `kind`.
enum ModelKind: String, CaseIterable {
    /// Coarse coverage of a whole frame, in the place of the selfie models.
    case segmentation
    /// Alpha of a crop, in the place of MODNet.
    case matting
    /// Alpha of a whole frame, with states that are passed from frame to frame, in the place of MODNet.
    case recurrentMatting = "recurrent matting"
}

extension ModelSetup {
    /// Returns the kind of the user's model; nil without one.
    ///
    /// - Parameter mattes: whether the level runs a matting model; a manifest without a kind counts as one of
    ///   the level's main model.
    fileprivate func userModelKind(mattes: Bool) throws(VisionError) -> ModelKind? {
        guard hasUserModel else { return nil }
        let info = try find(mattes ? MattingInput.modelName : CoarseModel.square.rawValue)
        let kind = try info.kind(orElse: mattes ? .matting : .segmentation)
        guard mattes || kind == .segmentation else {
            throw info.unsupported(
                "its kind is \"\(kind.rawValue)\"; the quality `fast` takes only \"segmentation\"")
        }
        return kind
    }
}

extension ModelInfo {
    fileprivate func kind(orElse usual: ModelKind) throws(VisionError) -> ModelKind {
        guard let entry = facts["kind"] else { return usual }
        guard let kind = entry.string.flatMap(ModelKind.init) else {
            let kinds = ModelKind.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
            throw unsupported("its \"kind\" must be one of \(kinds)")
        }
        guard states.isEmpty == (kind != .recurrentMatting) else {
            throw unsupported(
                "its kind is \"\(kind.rawValue)\", but \"states\" lists \(states.count) tensors")
        }
        return kind
    }

    /// Returns the error of a model that cannot be used, because `why`.
    func unsupported(_ why: String) -> VisionError { .inference(.unsupportedModel(path: path, why: why)) }
}
