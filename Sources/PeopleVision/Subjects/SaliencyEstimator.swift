import Imaging

/// Finds what stands out of a whole image, whatever it is.
///
/// Source: Qin and others, "U2-Net: Going Deeper with Nested U-Structure for Salient Object Detection", 2020; its small
/// version.
final class SaliencyEstimator {
    /// The model's name.
    private static let name = "u2netp"

    /// Coverage by subjects, 0...1, of the upright image squeezed to the model's input; as `estimate` left it, or as it has moved since.
    let coverage = FloatImage()
    /// Brightness of the same, 0...1.
    let brightness = FloatImage()

    private let model: ImageModel

    /// Loads the model; a model file of the user's is for another one.
    init(_ setup: ModelSetup) throws(VisionError) {
        model = try ImageModel(Self.name, parallelism: .wholeMachine, setup.withoutUserModel)
        // Asked for once now, so that a file which does not fit is refused when it is loaded.
        _ = try model.output(0, count: model.width * model.height)
        coverage.resize(width: model.width, height: model.height)
        brightness.resize(width: model.width, height: model.height)
    }

    /// Compiles the model on a thread.
    static func compilation(_ setup: ModelSetup) -> BackgroundCompilation {
        BackgroundCompilation(name, parallelism: .wholeMachine, setup.withoutUserModel)
    }

    /// Finds the model's files without loading them.
    static func check(_ setup: ModelSetup) throws(VisionError) { _ = try setup.withoutUserModel.find(name) }

    /// Samples the next image.
    func sample(_ image: ImageView, orientation: ImageOrientation) throws(VisionError) {
        try model.sample(image, region: .orientation(orientation))
        brightness.fill(brightnessOf: input, in: model.tensor)
    }

    /// Finds what stands out of the image.
    func estimate() throws(VisionError) {
        try model.infer()
        coverage.copy(try model.output(0, count: model.width * model.height))
    }

    /// What the model saw, as `tensor` says; valid until the next image.
    var input: UnsafeBufferPointer<Float> { UnsafeBufferPointer(model.input) }

    /// How `input` is laid out.
    var tensor: TensorInput { model.tensor }
}
