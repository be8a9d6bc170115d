package import Imaging

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
