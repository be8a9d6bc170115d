package import Imaging
import Inference

/// Which models look at frames of a size, and how large the mask is; all sizes are upright.
package struct SegmentationPlan: Equatable {
    typealias QualityLevel = GeneratePersonSegmentationRequest.QualityLevel

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
    /// Size of masks of people looked at closely, within the frame.
    let closeUps: Extent

    /// The plan for upright pictures of `size`.
    init(quality: QualityLevel, size: Size) {
        self.quality = quality
        frame = size
        scout = ModelInput(selfieFor: size)
        closeUps = Extent(size, longSide: 512)
        mask =
            switch quality {
            case .fast: Extent(width: scout.width, height: scout.height)
            case .balanced: Extent(size, longSide: 768)
            case .accurate: Extent(size, longSide: 2048)
            }
    }
}

/// A model and the size at which it is run.
package struct ModelInput: Equatable {
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
    package init(selfieFor size: Size) {
        let landscape = size.width / size.height >= 1.5
        name = landscape ? "selfie_segmentation_landscape" : "selfie_segmentation"
        width = 256
        height = landscape ? 144 : 256
        filter = .bilinear
        parallelism = .streams
    }

    /// MODNet at about `pixels` pixels of an aspect near that of `size`.
    ///
    /// It takes any multiple of 32. Loading a size takes half a second, so that crops share a few.
    init(modnetFor size: Size, pixels: Double) {
        let aspect = size.width / max(size.height, .leastNormalMagnitude)
        let nearest = Self.cropAspects.min { abs($0 / aspect - aspect / $0) < abs($1 / aspect - aspect / $1) }
        self.init(modnetOf: nearest ?? 1, pixels: pixels)
    }

    private init(modnetOf aspect: Double, pixels: Double) {
        let high = (pixels / aspect).squareRoot()
        name = "modnet"
        width = Self.side(high * aspect)
        height = Self.side(high)
        filter = .area
        parallelism = .wholeMachine
    }

    /// MODNet at about `shortSide`, up to 16:9: longer strips cost more than they gain.
    init(modnetFor size: Size, shortSide: Double) {
        let aspect = Self.stripAspect(size)
        self.init(modnetOf: aspect, pixels: shortSide * shortSide * max(aspect, 1 / aspect))
    }

    /// MODNet at about `pixels` pixels of a whole frame of `size`, up to 16:9.
    init(modnetFor size: Size, wholePixels pixels: Double) {
        self.init(modnetOf: Self.stripAspect(size), pixels: pixels)
    }

    private static func stripAspect(_ size: Size) -> Double {
        min(max(size.width / max(size.height, 1), 9.0 / 16), 16.0 / 9)
    }

    /// Width by height of crops: a person who stands, one down to the hips, a portrait, two people, more.
    private static let cropAspects = [0.38, 0.54, 0.75, 1.1, 16.0 / 9]

    /// Width by height of a crop of `frame` that is not distorted, in units of the frame's sides.
    func aspect(in frame: Size) -> Double {
        Double(width) / Double(height) * frame.height / frame.width
    }

    private static func side(_ ideal: Double) -> Int { max(128, Int((ideal / 32).rounded()) * 32) }
}

/// A model that gives one value per input pixel.
struct SegmentationModel {
    let image: ImageModel

    init(_ input: ModelInput, _ setup: ModelSetup) throws(VisionError) {
        image = try ImageModel(
            input.name, size: (input.width, input.height), filter: input.filter,
            parallelism: input.parallelism, setup)
        _ = try coverage()
    }

    /// Coverage, row by row; valid until the next run.
    func coverage() throws(VisionError) -> UnsafeBufferPointer<Float> {
        try image.output(0, count: image.width * image.height)
    }
}
