import Imaging
import Inference

/// Which models look at frames of a size, and how large the mask is; all sizes are upright.
struct SegmentationPlan: Equatable {
    typealias QualityLevel = GeneratePersonSegmentationRequest.QualityLevel

    /// Pixels.
    struct Extent: Equatable {
        let width: Int
        let height: Int
    }

    /// What counts.
    let quality: QualityLevel
    /// The small model that sees the whole frame.
    let scout: ModelInput
    /// Size of the mask.
    let mask: Extent

    /// The plan for upright pictures of `size`.
    init(quality: QualityLevel, size: Size) {
        self.quality = quality
        scout = ModelInput(selfieFor: size)
        mask = Extent(width: 2 * scout.width, height: 2 * scout.height)
    }
}

/// A model and the size at which it is run.
struct ModelInput: Equatable {
    /// Name of the model.
    let name: String
    /// Width of the input.
    let width: Int
    /// Height of the input.
    let height: Int
    /// How the cores are shared out.
    let parallelism: ComputeOptions.Parallelism

    /// MediaPipe's selfie models see the whole frame, its aspect squeezed.
    init(selfieFor size: Size) {
        let landscape = size.width / size.height >= 1.5
        name = landscape ? "selfie_segmentation_landscape" : "selfie_segmentation"
        width = 256
        height = landscape ? 144 : 256
        parallelism = .streams
    }
}
