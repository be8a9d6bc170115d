package import Imaging
import Inference

/// The sizes for frames of one size; all of them are upright.
package struct SegmentationPlan: Equatable {
    /// A size in pixels.
    package struct Extent: Equatable {
        let width: Int
        let height: Int

        /// Creates an extent in pixels.
        package init(width: Int, height: Int) {
            self.width = width
            self.height = height
        }

        /// Creates an extent of the frame's size, reduced until its longer side is at most `longSide`.
        package init(_ frame: Size, longSide: Double) {
            let scale = min(1, longSide / max(frame.width, frame.height))
            width = max(1, Int((frame.width * scale).rounded()))
            height = max(1, Int((frame.height * scale).rounded()))
        }
    }

    /// The quality level's parameters.
    let profile: QualityProfile
    /// Size of the upright frame.
    let frame: Size
    /// The model that sees the whole frame.
    let coarseModel: CoarseModel
    /// Size of the mask.
    let mask: Extent
    /// Size at which coarse coverage and matte are compared: twice that of the coarse model.
    package let prior: Extent

    /// Creates the plan for upright images of `size`.
    package init(_ profile: QualityProfile, size: Size) {
        self.profile = profile
        frame = size
        coarseModel = CoarseModel(for: size)
        prior = Extent(size, longSide: Double(2 * CoarseModel.square.extent.width))
        mask = profile.longestMaskSide.map { Extent(size, longSide: $0) } ?? coarseModel.extent
    }
}

/// MediaPipe's selfie segmentation models, which see a whole frame squeezed to their own aspect.
package enum CoarseModel: String {
    /// 256x256 pixels.
    case square = "selfie_segmentation"
    /// 256x144 pixels.
    case landscape = "selfie_segmentation_landscape"

    /// Chooses the model for frames of `size`.
    package init(for size: Size) { self = size.width / size.height >= 1.5 ? .landscape : .square }

    /// Size of input and output.
    var extent: SegmentationPlan.Extent {
        switch self {
        case .square: SegmentationPlan.Extent(width: 256, height: 256)
        case .landscape: SegmentationPlan.Extent(width: 256, height: 144)
        }
    }

    /// Compiles the model that `load` loads, on a thread.
    func compilation(_ setup: ModelSetup) -> BackgroundCompilation {
        BackgroundCompilation(rawValue, width: extent.width, height: extent.height, setup)
    }

    /// Loads the model, or the user's in its place; it was trained for bilinear sampling.
    func load(_ setup: ModelSetup) throws(VisionError) -> ImageModel {
        let model = try ImageModel(
            rawValue, size: (extent.width, extent.height), filter: .bilinear, setup)
        // The output is read once now, so that a file with other outputs is refused when it is loaded.
        _ = try model.output(0, count: model.width * model.height)
        return model
    }
}

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
        if plan.profile.groups != nil { try BoxSegmenter.check(coarse) }
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

extension Size {
    /// Width divided by height of a whole frame for the models: longer strips than 16:9 cost more than they
    /// gain.
    var boundedAspect: Double { min(max(width / max(height, 1), 9.0 / 16), 16.0 / 9) }
}
