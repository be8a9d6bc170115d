package import Imaging
import Inference

/// Segments the thing in a box, or at two points, of whatever kind: MobileSAM.
///
/// Source: Zhang and others, "Faster Segment Anything: Towards Lightweight SAM for Mobile Applications",
/// 2023.
package final class PromptedSegmenter {
    /// A prompt for the model, in the upright image's unit square.
    package enum Prompt {
        /// A box around the thing.
        case box(Rectangle)
        /// Two points on the thing.
        case points(Point, Point)

        /// The prompt for the same thing in the mirror image.
        fileprivate var mirrored: Prompt {
            let mirror = FrameTransform.mirrored
            return switch self {
            case .box(let box): .box(mirror.map(box))
            case .points(let one, let other): .points(mirror.map(one), mirror.map(other))
            }
        }

        /// Two places, and the number that tells their kind.
        fileprivate var question: (places: SIMD4<Double>, kind: Float) {
            switch self {
            case .box(let box): (SIMD4(box.x, box.y, box.x + box.width, box.y + box.height), 0)
            case .points(let one, let other): (SIMD4(one.x, one.y, other.x, other.y), 1)
            }
        }
    }

    /// The names of the models; an image is encoded once for all its prompts.
    private static let (encoderName, decoderName) = ("mobile_sam_encoder", "mobile_sam_decoder")

    /// Coverage by the thing, 0...1, of the upright image.
    package let coverage = FloatImage()
    /// Coverage of the mirror image.
    private let turned = FloatImage()
    private var isMirrored = false

    private let encoder: ImageModel
    private let decoder: InferenceRequest
    private let embeddingCount: Int
    /// The encoder's input as a share of the square whose upper left corner it fills.
    private let share: SIMD2<Double>
    /// Sides of the decoder's output, which shows this square.
    private let output: (width: Int, height: Int)

    /// Finds the models' files without loading them.
    static func check(_ setup: ModelSetup) throws(VisionError) {
        for name in [encoderName, decoderName] { _ = try setup.withoutUserModel.find(name) }
    }

    /// Compiles the models for upright frames of the size `frame` on threads.
    static func compilations(_ frame: Size, _ setup: ModelSetup) -> [BackgroundCompilation] {
        let input = Self.input(frame)
        return [
            BackgroundCompilation(
                encoderName, width: input.width, height: input.height, parallelism: .wholeMachine,
                setup.withoutUserModel),
            BackgroundCompilation(decoderName, parallelism: .wholeMachine, setup.withoutUserModel),
        ]
    }

    /// Returns the encoder's input size for upright frames of the size `frame`, in pixels.
    ///
    /// The encoder was trained with longer sides of 1024 pixels. Sizes whose sides are multiples of 64 are
    /// few enough to be compiled once each.
    private static func input(_ frame: Size) -> (width: Int, height: Int) {
        let aspect = frame.boundedAspect
        let shortSide = Int((Double(longSide) / max(aspect, 1 / aspect) / 64).rounded(.up)) * 64
        return aspect > 1 ? (longSide, shortSide) : (shortSide, longSide)
    }

    /// Side of the square, in pixels.
    private static let longSide = 1024

    /// Loads the models for upright frames of the size `frame`; a model file of the user is not for these.
    package init(_ frame: Size, _ setup: ModelSetup) throws(VisionError) {
        let (setup, input) = (setup.withoutUserModel, Self.input(frame))
        encoder = try ImageModel(Self.encoderName, size: input, parallelism: .wholeMachine, setup)
        decoder = try setup.load(try setup.find(Self.decoderName), parallelism: .wholeMachine)
        embeddingCount = encoder.outputCounts.first ?? 0
        guard decoder.input.count == embeddingCount + 5 else {
            throw decoder.unsupported("it does not take an embedding, two places and their kind")
        }
        guard let shape = decoder.model.outputShapes.first, shape.count == 4, shape[0] * shape[1] == 1 else {
            throw decoder.unsupported("it does not give one mask")
        }
        share = SIMD2(Double(input.width), Double(input.height)) / Double(Self.longSide)
        output = (shape[3], shape[2])
        for image in [coverage, turned] {
            image.resize(
                width: max(1, Int(share.x * Double(output.width))),
                height: max(1, Int(share.y * Double(output.height))))
        }
        // The output is read once now, so that a file with other outputs is refused when it is loaded.
        _ = try decoder.output(0, count: output.width * output.height)
    }

    /// Encodes the next image, or its mirror image.
    ///
    /// - Parameter mirrored: whether the model sees the mirror image; prompts and coverage are those of the image.
    package func encode(
        _ image: ImageView, orientation: ImageOrientation, mirrored: Bool = false
    ) throws(VisionError) {
        isMirrored = mirrored
        let upright = FrameTransform.orientation(orientation)
        try encoder.run(on: image, region: mirrored ? .mirrored.followed(by: upright) : upright)
        _ = decoder.input.update(fromContentsOf: try encoder.output(0, count: embeddingCount))
    }

    /// Fills `coverage` with the thing that `prompt` shows.
    package func segment(_ prompt: Prompt) throws(VisionError) {
        let (places, kind) = (isMirrored ? prompt.mirrored : prompt).question
        for index in 0..<4 { decoder.input[embeddingCount + index] = Float(places[index] * share[index % 2]) }
        decoder.input[embeddingCount + 4] = kind
        try decoder.infer()
        let values = try decoder.output(0, count: output.width * output.height)
        guard isMirrored else { return coverage.copy(cornerOf: values, width: output.width) }
        turned.copy(cornerOf: values, width: output.width)
        coverage.copy(mirrored: UnsafeBufferPointer(turned.values))
    }
}

/// MobileSAM, loaded when it is first needed and released when it was not needed for long: streams of one person need neither
/// its memory nor its time.
final class DeferredPromptedSegmenter {
    private let frame: Size
    private let setup: ModelSetup
    private var models = ModelCache<Size, PromptedSegmenter>(capacity: 1)
    /// The compilations in progress, and those needed until the model is loaded.
    private var compilations: [BackgroundCompilation] = []

    /// Finds the models' files, so that a missing one is reported at the start.
    init(_ frame: Size, _ setup: ModelSetup) throws(VisionError) {
        try PromptedSegmenter.check(setup)
        (self.frame, self.setup) = (frame, setup)
    }

    /// Returns the model; nil while threads compile it, if frames do not wait for that.
    func load() throws(VisionError) -> PromptedSegmenter? {
        let (frame, setup) = (frame, setup)
        if !models.contains(frame) {
            if compilations.isEmpty { compilations = PromptedSegmenter.compilations(frame, setup) }
            if setup.compilesInBackground, !compilations.allSatisfy(\.isFinished) { return nil }
        }
        defer { compilations = [] }
        return try models.model(frame) { () throws(VisionError) in try PromptedSegmenter(frame, setup) }
    }

    /// Ends a frame: the model is released if it was not used for long.
    func finishFrame() { models.endFrame() }
}
