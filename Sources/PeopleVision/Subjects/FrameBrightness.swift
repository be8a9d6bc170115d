import Imaging

/// Brightness of frames at the size of their masks.
final class FrameBrightness {
    /// 0...1, upright.
    let values = FloatImage()
    private let colors = FloatImage()
    private var sampler: TensorSampler?

    /// Of no frame yet.
    init() {}

    /// Takes over a frame, reduced or enlarged to `width` x `height`.
    func sample(
        _ image: ImageView, orientation: ImageOrientation, width: Int, height: Int
    ) throws(VisionError) {
        do throws(SamplingError) {
            let sampler = try sampler(width, height)
            colors.resize(width: width, height: 3 * height)
            values.resize(width: width, height: height)
            try sampler.sample(image, region: .orientation(orientation), into: colors.values)
            values.fill(brightnessOf: UnsafeBufferPointer(colors.values), in: sampler.input)
        } catch { throw .sampling(error) }
    }

    private func sampler(_ width: Int, _ height: Int) throws(SamplingError) -> TensorSampler {
        if let sampler, sampler.input.width == width, sampler.input.height == height { return sampler }
        let fresh = try TensorSampler(
            TensorInput(width: width, height: height, layout: .nchw, filter: .area))
        sampler = fresh
        return fresh
    }
}
