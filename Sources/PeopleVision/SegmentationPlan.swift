import Imaging
import Inference

/// Which model looks at a frame, and at what size.
struct SegmentationPlan: Equatable {
    /// Name of the model.
    let model: String
    /// Width of the model's input, of the upright picture.
    let width: Int
    /// Height of the model's input.
    let height: Int
    /// How the frame is brought to that size.
    let filter: TensorSampler.Filter
    /// How the cores are shared out.
    let parallelism: ComputeOptions.Parallelism

    /// The plan for upright pictures of `size`.
    init(quality: GeneratePersonSegmentationRequest.QualityLevel, size: Size) {
        switch quality {
        case .fast: self.init(selfieFor: size)
        case .balanced: self.init(modnetFor: size, shortSide: 288)
        case .accurate: self.init(modnetFor: size, shortSide: 512)
        }
    }

    /// MediaPipe's selfie models see the whole frame, its aspect squeezed; they were trained for
    /// bilinear sampling.
    private init(selfieFor size: Size) {
        let landscape = size.width / size.height >= 1.5
        model = landscape ? "selfie_segmentation_landscape" : "selfie_segmentation"
        width = 256
        height = landscape ? 144 : 256
        filter = .bilinear
        parallelism = .streams
    }

    /// MODNet takes any multiple of 32 and keeps the aspect, up to 16:9: longer strips cost more
    /// than they gain.
    private init(modnetFor size: Size, shortSide: Int) {
        let aspect = max(size.width, size.height) / min(size.width, size.height)
        let longSide = Int((min(aspect, 16.0 / 9) * Double(shortSide) / 32).rounded()) * 32
        let landscape = size.width >= size.height
        model = "modnet"
        width = landscape ? longSide : shortSide
        height = landscape ? shortSide : longSide
        filter = .area
        parallelism = .wholeMachine
    }
}
