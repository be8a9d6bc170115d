import Imaging

/// The brightness of a frame, at any size.
final class FrameBrightness {
    /// The longer side at which `BlockMatcher` of the precision `far` finds motion, in pixels: twice that of
    /// the coarse models.
    static let motionSide: Double = 512

    /// The brightness, 0...1, upright.
    let values = FloatImage()
    private let colors = FloatImage()
    private var sampler: TensorSampler?

    /// Creates an empty brightness.
    init() {}

    /// Fills the brightness with a frame, reduced until its longer side is at most `longSide`, for
    /// `BlockMatcher`.
    func sample(_ frame: InputFrame, longSide: Double) throws(VisionError) {
        let size = SegmentationPlan.Extent(frame.uprightSize, longSide: longSide)
        try sample(
            frame.image, region: .orientation(frame.orientation), width: size.width, height: size.height)
    }

    /// Fills the brightness with a region of an image, reduced or enlarged to `width` x `height`.
    ///
    /// - Parameter region: maps the unit square of the result to that of the stored image.
    func sample(
        _ image: ImageView, region: FrameTransform, width: Int, height: Int
    ) throws(VisionError) {
        do throws(SamplingError) {
            let sampler = try sampler(width, height)
            colors.resize(width: width, height: 3 * height)
            values.resize(width: width, height: height)
            try sampler.sample(image, region: region, into: colors.values)
            values.fill(brightnessOf: UnsafeBufferPointer(colors.values), in: sampler.input)
        } catch { throw .sampling(error.description) }
    }

    private func sampler(_ width: Int, _ height: Int) throws(SamplingError) -> TensorSampler {
        if let sampler, sampler.input.width == width, sampler.input.height == height { return sampler }
        let fresh = try TensorSampler(
            TensorInput(width: width, height: height, layout: .nchw, filter: .area))
        sampler = fresh
        return fresh
    }
}
