package import Imaging

/// Sizes for frames of one size; all of them are upright.
package struct SegmentationPlan: Equatable {
    /// Pixels.
    package struct Extent: Equatable {
        let width: Int
        let height: Int

        /// An extent in pixels.
        package init(width: Int, height: Int) {
            self.width = width
            self.height = height
        }

        /// The frame's size, its long side no more than `longSide`.
        package init(_ frame: Size, longSide: Double) {
            let scale = min(1, longSide / max(frame.width, frame.height))
            width = max(1, Int((frame.width * scale).rounded()))
            height = max(1, Int((frame.height * scale).rounded()))
        }
    }

    /// The quality level's numbers.
    let profile: QualityProfile
    /// Size of the upright frame.
    let frame: Size
    /// The model that sees the whole frame.
    let coarseModel: CoarseModel
    /// Size of the mask.
    let mask: Extent
    /// Size at which coarse coverage and matte are compared: twice that of the coarse model.
    let prior: Extent

    /// The plan for upright pictures of `size`.
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

    /// The model for frames of `size`.
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

    /// Loads the model, or one of the user's in its place; it was trained for bilinear sampling.
    func load(_ setup: ModelSetup) throws(VisionError) -> ImageModel {
        let model = try ImageModel(
            rawValue, size: (extent.width, extent.height), filter: .bilinear, setup)
        // Asked for once now, so that a file which does not fit is refused when it is loaded.
        _ = try model.output(0, count: model.width * model.height)
        return model
    }
}
