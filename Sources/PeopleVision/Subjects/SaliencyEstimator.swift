import Imaging

/// Finds what stands out of a whole image, whatever it is.
///
/// Source: Qin and others, "U2-Net: Going Deeper with Nested U-Structure for Salient Object Detection", 2020; its small
/// version.
final class SaliencyEstimator {
    /// The model's name.
    private static let name = "u2netp"

    /// What each of two neighbours counts in a softened value, 0...1.
    ///
    /// Means of areas become means weighted by a triangle twice as wide, as in antialiased bilinear reduction: means of areas
    /// alone turn fine patterns into coarse ones, which the model takes for subjects.
    private static let neighbours: Float = 0.125

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
    ///
    /// - Parameter isSoftened: whether fine patterns are blurred first, so that they do not count as subjects.
    func estimate(isSoftened: Bool) throws(VisionError) {
        if isSoftened { soften() }
        try model.infer()
        coverage.copy(try model.output(0, count: model.width * model.height))
    }

    /// Mixes each value with those beside it, and with those above and below.
    private func soften() {
        let isPlanar = model.tensor.layout == .nchw
        let (channels, step) = isPlanar ? (model.width * model.height, 1) : (1, 3)
        for channel in 0..<3 {
            let start = channel * channels
            for y in 0..<model.height {
                soften(from: start + y * model.width * step, by: step, count: model.width)
            }
            for x in 0..<model.width {
                soften(from: start + x * step, by: model.width * step, count: model.height)
            }
        }
    }

    /// Mixes `count` values of the input, `step` apart, with their neighbours; those at the ends are their own.
    private func soften(from first: Int, by step: Int, count: Int) {
        let values = model.input
        guard var before = values.indices.contains(first) ? values[first] : nil else { return }
        for index in 0..<count {
            let place = first + index * step
            let (value, after) = (values[place], values[index + 1 < count ? place + step : place])
            values[place] = value + Self.neighbours * (before + after - 2 * value)
            before = value
        }
    }

    /// What the model saw, as `tensor` says; valid until the next image.
    var input: UnsafeBufferPointer<Float> { UnsafeBufferPointer(model.input) }

    /// How `input` is laid out.
    var tensor: TensorInput { model.tensor }
}
