import CKernels

/// Changes samples of a plane's row for transfers where light is a factor of their values.
final class LinearTones {
    private let gains = ScratchBuffer<Float>()
    private let offsets = ScratchBuffer<Float>()
    private let whites = ScratchBuffer<Float>()
    /// Weights in luma.
    private let weights = ScratchBuffer<Float>()
    private let drawn = ScratchBuffer<Float>()
    private var period = 1

    /// Computes the factors.
    ///
    /// - Parameters:
    ///   - gain: gain of luma, R, G and B.
    ///   - desaturation: degree to which R, G and B are drawn to their luma.
    func build(
        _ layout: PixelLayout, plane: Int, _ levels: CodeLevels, _ matrix: Colorimetry.Matrix, gain: Float,
        chromaGain: Float, desaturation: Float
    ) {
        period = layout.period(plane: plane)
        // A row may begin anywhere in the first period.
        let count = Int(kernel_tone_block) + period
        for buffer in [gains, offsets, whites, weights, drawn] { buffer.reserve(count) }
        for index in 0..<count {
            // Alpha and padding stay as they are.
            (gains.base[index], offsets.base[index], whites.base[index]) = (1, 0, .infinity)
            (weights.base[index], drawn.base[index]) = (0, 0)
            guard case .part(let part, _) = layout.owner(ofSample: index % period, plane: plane),
                part < layout.colorCount
            else { continue }
            let isChroma = layout.model == .yuv && part > 0
            let (black, gain) = (levels.black[part], isChroma ? chromaGain : gain)
            (gains.base[index], offsets.base[index]) = (gain, black * (1 - gain))
            if !isChroma { whites.base[index] = black + levels.swing[part] }
            (weights.base[index], drawn.base[index]) = (matrix.lumaWeights[part], desaturation)
        }
    }

    /// Changes samples of a row.
    func apply<Sample: PixelSample>(
        to row: UnsafeMutablePointer<Sample>, _ samples: Range<Int>, _ layout: PixelLayout
    ) {
        let (first, phase) = (samples.lowerBound, samples.lowerBound % period)
        Sample.tone(
            row + first, gains: gains.base + phase, offsets: offsets.base + phase,
            whites: whites.base + phase,
            maximum: Float(layout.maximum), shift: layout.shift, count: samples.count)
    }

    /// Changes whole pixels of R'G'B', which are drawn to their luma first.
    func desaturate<Sample: PixelSample>(
        _ row: UnsafeMutablePointer<Sample>, _ samples: Range<Int>, _ layout: PixelLayout
    ) {
        Sample.desaturate(
            row + samples.lowerBound, gains: gains.base, whites: whites.base, weights: weights.base,
            drawn: drawn.base, step: period, maximum: Float(layout.maximum), pixels: samples.count / period)
    }
}
