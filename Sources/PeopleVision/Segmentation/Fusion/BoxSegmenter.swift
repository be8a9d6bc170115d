package import Imaging
import Inference

/// Finds the thing that a box is drawn around, of whatever kind: MobileSAM.
///
/// Source: Zhang and others, "Faster Segment Anything: Towards Lightweight SAM for Mobile Applications", 2023.
package final class BoxSegmenter {
    /// The names of the models; an image is encoded once for all its boxes.
    private static let (encoderName, decoderName) = ("mobile_sam_encoder", "mobile_sam_decoder")

    /// Coverage by the thing, 0...1, of the upright image squeezed to a square.
    package let coverage = FloatImage()

    private let encoder: ImageModel
    private let decoder: InferenceRequest
    private let embeddingCount: Int

    /// Finds the models' files without loading them.
    static func check(_ setup: ModelSetup) throws(VisionError) {
        for name in [encoderName, decoderName] { _ = try setup.withoutUserModel.find(name) }
    }

    /// Compiles the models on threads.
    static func compilations(_ setup: ModelSetup) -> [BackgroundCompilation] {
        [encoderName, decoderName].map {
            BackgroundCompilation($0, parallelism: .wholeMachine, setup.withoutUserModel)
        }
    }

    /// Loads the models; a model file of the user's is for another one.
    package init(_ setup: ModelSetup) throws(VisionError) {
        let setup = setup.withoutUserModel
        encoder = try ImageModel(Self.encoderName, parallelism: .wholeMachine, setup)
        decoder = try setup.load(try setup.find(Self.decoderName), parallelism: .wholeMachine)
        embeddingCount = encoder.outputCounts.first ?? 0
        guard decoder.input.count == embeddingCount + 4 else {
            throw decoder.unsupported("it does not take an embedding and four sides of a box")
        }
        guard let shape = decoder.model.outputShapes.first, shape.count == 4, shape[0] * shape[1] == 1 else {
            throw decoder.unsupported("it does not give one mask")
        }
        coverage.resize(width: shape[3], height: shape[2])
        // Asked for once now, so that a file which does not fit is refused when it is loaded.
        _ = try decoder.output(0, count: coverage.count)
    }

    /// Takes the next image.
    package func encode(_ image: ImageView, orientation: ImageOrientation) throws(VisionError) {
        try encoder.run(on: image, region: .orientation(orientation))
        _ = decoder.input.update(fromContentsOf: try encoder.output(0, count: embeddingCount))
    }

    /// Fills `coverage` with what `box`, in the upright image's unit square, is drawn around.
    package func segment(_ box: Rectangle) throws(VisionError) {
        let sides = SIMD4(box.x, box.y, box.x + box.width, box.y + box.height)
        for index in 0..<4 { decoder.input[embeddingCount + index] = Float(sides[index]) }
        try decoder.infer()
        coverage.copy(try decoder.output(0, count: coverage.count))
    }
}

/// MobileSAM, loaded when a group first appears: streams of one person need neither its memory nor its time.
final class DeferredBoxSegmenter {
    private let setup: ModelSetup
    private var model: BoxSegmenter?
    /// In progress, or needed until the model is loaded.
    private var compilations: [BackgroundCompilation] = []

    /// Finds the models' files, so that one that is missing is told at the start.
    init(_ setup: ModelSetup) throws(VisionError) {
        try BoxSegmenter.check(setup)
        self.setup = setup
    }

    /// The model; nil while threads compile it, where frames are not to wait for that.
    func load() throws(VisionError) -> BoxSegmenter? {
        if let model { return model }
        if compilations.isEmpty { compilations = BoxSegmenter.compilations(setup) }
        if setup.compilesInBackground, !compilations.allSatisfy(\.isFinished) { return nil }
        defer { compilations = [] }
        let loaded = try BoxSegmenter(setup)
        model = loaded
        return loaded
    }
}
