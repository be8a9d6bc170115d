import Imaging
import Inference

/// Which models look at frames of a size, and how large the mask is; all sizes are upright.
struct SegmentationPlan: Equatable {
    typealias QualityLevel = GeneratePersonSegmentationRequest.QualityLevel

    /// Pixels.
    struct Extent: Equatable {
        let width: Int
        let height: Int

        init(width: Int, height: Int) {
            self.width = width
            self.height = height
        }

        /// The frame's size, its long side no more than `longSide`.
        init(_ frame: Size, longSide: Double) {
            let scale = min(1, longSide / max(frame.width, frame.height))
            width = max(1, Int((frame.width * scale).rounded()))
            height = max(1, Int((frame.height * scale).rounded()))
        }
    }

    /// What counts.
    let quality: QualityLevel
    /// Size of the upright frame.
    let frame: Size
    /// The small model that sees the whole frame.
    let scout: ModelInput
    /// Size of the mask.
    let mask: Extent

    /// The plan for upright pictures of `size`.
    init(quality: QualityLevel, size: Size) {
        self.quality = quality
        frame = size
        scout = ModelInput(selfieFor: size)
        mask =
            switch quality {
            case .fast: Extent(width: 2 * scout.width, height: 2 * scout.height)
            case .balanced: Extent(size, longSide: 768)
            case .accurate: Extent(size, longSide: 2048)
            }
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
    /// How frames are brought to that size.
    let filter: TensorSampler.Filter
    /// How the cores are shared out.
    let parallelism: ComputeOptions.Parallelism

    /// MediaPipe's selfie models see the whole frame, its aspect squeezed; they were trained for
    /// bilinear sampling.
    init(selfieFor size: Size) {
        let landscape = size.width / size.height >= 1.5
        name = landscape ? "selfie_segmentation_landscape" : "selfie_segmentation"
        width = 256
        height = landscape ? 144 : 256
        filter = .bilinear
        parallelism = .streams
    }

    /// MODNet at about `pixels` pixels of the aspect of `size`.
    ///
    /// It takes any multiple of 32; below 128 it sees nothing.
    init(modnetFor size: Size, pixels: Int) {
        let aspect = min(max(size.width / max(size.height, 1), 0.2), 5)
        let high = (Double(pixels) / aspect).squareRoot()
        name = "modnet"
        width = Self.side(high * aspect)
        height = Self.side(high)
        filter = .area
        parallelism = .wholeMachine
    }

    private static func side(_ ideal: Double) -> Int { max(128, Int((ideal / 32).rounded()) * 32) }
}
