import Imaging

/// Finds the things that stand out of a whole image, of any kind.
///
/// Source: Qin and others, "U2-Net: Going Deeper with Nested U-Structure for Salient Object Detection", 2020;
/// its small version.
final class SaliencyEstimator {
    /// The model's name.
    private static let name = "u2netp"

    /// Weight of each of two neighbours in a softened value, 0...1.
    ///
    /// Means of areas become means weighted by a triangle twice as wide, as in antialiased bilinear
    /// reduction: means of areas alone turn fine patterns into coarse ones, which the model takes for
    /// subjects.
    private static let neighbours: Float = 0.125

    /// Coverage by subjects, 0...1, of the upright image squeezed to the model's input; the result of
    /// `estimate`, or moved since.
    let coverage = FloatImage()
    /// Brightness of the same image, 0...1.
    let brightness = FloatImage()

    private let model: ImageModel

    /// Loads the model; a model file of the user is not for this one.
    init(_ setup: ModelSetup) throws(VisionError) {
        model = try ImageModel(Self.name, parallelism: .wholeMachine, setup.withoutUserModel)
        // The output is read once now, so that a file with other outputs is refused when it is loaded.
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

    /// Finds the things that stand out of the image.
    ///
    /// - Parameter isSoftened: whether fine patterns are blurred first, so that they do not count as
    ///   subjects.
    func estimate(isSoftened: Bool) throws(VisionError) {
        if isSoftened { soften() }
        try model.infer()
        coverage.copy(try model.output(0, count: model.width * model.height))
    }

    /// Mixes each value with its left and right, and then its upper and lower neighbours.
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

    /// Mixes `count` values of the input, `step` apart, with their neighbours; the ends use themselves as the
    /// missing neighbour.
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

    /// The model's input, in the layout of `tensor`; valid until the next image.
    var input: UnsafeBufferPointer<Float> { UnsafeBufferPointer(model.input) }

    /// The layout of `input`.
    var tensor: TensorInput { model.tensor }
}
