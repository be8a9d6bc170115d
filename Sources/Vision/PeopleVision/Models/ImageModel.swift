import Imaging
import Inference

/// A loaded model whose input is a region of an image.
///
/// One per stream, for one thread at a time. Sampling and running allocate nothing.
package final class ImageModel {
    /// The model's manifest.
    let info: ModelInfo
    /// Width of the input, in pixels.
    let width: Int
    /// Height of the input, in pixels.
    let height: Int
    /// The layout of the input.
    let tensor: TensorInput
    private let request: InferenceRequest
    private let sampler: TensorSampler
    /// The sampler for rotated regions that are much reduced; nil where `sampler` is used for them as well.
    private let turnedSampler: TensorSampler?

    /// Reduction beyond which a rotated region is sampled bilinearly, in pixels of the image per input pixel.
    ///
    /// The average of rotated areas visits every pixel of the image: its cost grows with the square of the
    /// reduction, and exceeds that of a small model's inference.
    private static let largestTurnedReduction = 2.5

    /// Finds and compiles a model.
    ///
    /// - Parameters:
    ///   - name: name of the model's manifest.
    ///   - size: size of the input in pixels; needed where the model leaves it free.
    ///   - filter: filter for reducing images; with `area`, see `sample`.
    ///   - border: the content of the input beyond the image's edges.
    ///   - parallelism: one thread for small models, the whole machine for heavy ones.
    /// - Throws: `VisionError.inference` when the model cannot be found or compiled,
    ///   `VisionError.sampling` when its input is not an image of a size that can be sampled.
    init(
        _ name: String, size: (width: Int, height: Int)? = nil, filter: TensorSampler.Filter = .area,
        border: TensorSampler.Border = .replicate, parallelism: ComputeOptions.Parallelism = .oneThread,
        _ setup: ModelSetup
    ) throws(VisionError) {
        info = try setup.find(name)
        width = Self.side(info.input.width, orElse: size?.width)
        height = Self.side(info.input.height, orElse: size?.height)
        request = try setup.load(info, width: width, height: height, parallelism: parallelism)
        tensor = TensorInput(
            width: width, height: height, layout: info.input.layout == .nchw ? .nchw : .nhwc,
            low: info.input.range.lowerBound, high: info.input.range.upperBound, filter: filter,
            border: border)
        var points = tensor
        points.filter = .bilinear
        do throws(SamplingError) {
            sampler = try TensorSampler(tensor)
            turnedSampler = filter == .area ? try TensorSampler(points) : nil
        } catch { throw .sampling(error.description) }
    }

    /// Returns a side of the input in pixels: the model's own, or the requested one where the model leaves it
    /// free (0).
    private static func side(_ own: Int?, orElse asked: Int?) -> Int {
        if let own, own > 0 { own } else { asked ?? 0 }
    }

    /// The input tensor with the values sampled last, in the manifest's layout and range.
    var input: UnsafeMutableBufferPointer<Float> { request.input }

    /// Fills `input` with the content of `region` of `image`.
    ///
    /// - Parameter region: maps the unit square of the input to that of the stored image.
    func sample(_ image: ImageView, region: FrameTransform) throws(VisionError) {
        var chosen = sampler
        if let turnedSampler, isReducedAndTurned(region, image) { chosen = turnedSampler }
        do throws(SamplingError) {
            try chosen.sample(image, region: region, into: request.input)
        } catch { throw .sampling(error.description) }
    }

    /// Forgets the state that the model passes from one run to the next.
    func reset() { request.reset() }

    /// Computes the outputs from `input`.
    func infer() throws(VisionError) { try request.infer() }

    /// Computes the outputs for `region` of `image`, as `sample` and `infer` do.
    func run(on image: ImageView, region: FrameTransform) throws(VisionError) {
        try sample(image, region: region)
        try infer()
    }

    /// Returns the values of output `index`, valid until the next run.
    ///
    /// Call it once when the model is loaded, so that a file with other outputs is refused then.
    ///
    /// - Throws: `InferenceError.unsupportedModel` when their number is not `count`.
    func output(_ index: Int, count: Int) throws(VisionError) -> UnsafeBufferPointer<Float> {
        try request.output(index, count: count)
    }

    /// The number of values of each output.
    var outputCounts: [Int] { request.outputs.map(\.count) }

    /// Returns the error of a model that cannot be used, because `why`.
    func unsupported(_ why: String) -> VisionError { request.unsupported(why) }

    private func isReducedAndTurned(_ region: FrameTransform, _ image: ImageView) -> Bool {
        guard region.xx != 0, region.xy != 0 else { return false }
        let (stepX, stepY) = (region.xx * Double(image.width), region.yx * Double(image.height))
        let reduction = (stepX * stepX + stepY * stepY).squareRoot() / Double(max(1, width))
        // A reduction exactly at the limit stays below it, however the transform was rounded.
        return reduction > Self.largestTurnedReduction * (1 + 1e-9)
    }
}
