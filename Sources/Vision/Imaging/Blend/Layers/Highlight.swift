import CKernels
import Glibc

/// Changes the exposure of the background and reduces its colour, so that the subject stands out.
package struct Highlight: Sendable, Equatable, EffectParameters {
    /// Change of the light in stops: -1 halves it, 1 doubles it; limited to -10...10.
    package var exposure: Double
    /// Share of the colour that is removed: 0 none, 1 all (grey).
    package var desaturation: Double

    /// Creates a highlight; without arguments it changes nothing.
    package init(exposure: Double = 0, desaturation: Double = 0) {
        self.exposure = exposure
        self.desaturation = desaturation
    }

    var isVisible: Bool { abs(exposure) > 0 || desaturation > 0 }

    var layers: EffectLayers {
        EffectLayers(bytes: HighlightLayer<UInt8>(self), words: HighlightLayer<UInt16>(self))
    }
}

extension BackgroundEffect {
    /// Returns an effect that brightens or darkens the background and reduces its colour.
    package static func highlight(_ highlight: Highlight) -> BackgroundEffect { BackgroundEffect(highlight) }
}

/// Applies exposure and desaturation, sample by sample.
///
/// Light times 2^stops is, after a power law, R'G'B' times 2^(stops / gamma), and so are Y', Cb and Cr. PQ
/// and HLG have luma and R'G'B' by their transfer functions, from tables; their Cb and Cr grow as reference
/// white does.
final class HighlightLayer<Sample: PixelSample>: BackgroundLayer {
    var parameters: Highlight
    private let linear = Quad { LinearTones() }
    private let tables = ToneTables<Sample>()
    private var content: Content?
    private var layout = PixelFormat.gray8.layout
    private var weights = SIMD3<Float>()
    private var desaturation: Float = 0
    private var isLinear = false
    private var plane = 0

    private struct Content: Equatable {
        let highlight: Highlight
        let format: PixelFormat
        let colorimetry: Colorimetry
    }

    init(_ parameters: Highlight) { self.parameters = parameters }

    func begin(_ frame: FrameContext) -> LayerOpacity? {
        prepare(parameters, for: frame.image)
        return .adjustment
    }

    func selectRow(_ row: Int, plane: Int, of frame: ImageView) { self.plane = plane }

    /// Prepares the tones, unless they are already known.
    private func prepare(_ highlight: Highlight, for frame: ImageView) {
        let wanted = Content(highlight: highlight, format: frame.format, colorimetry: frame.colorimetry)
        guard content != wanted else { return }
        content = wanted
        layout = frame.format.layout
        weights = frame.colorimetry.matrix.lumaWeights
        desaturation = Float(highlight.desaturation.limited(0, 1))
        let tone = ToneCurve(stops: highlight.exposure, frame.colorimetry.transfer)
        let levels = CodeLevels(layout, frame.colorimetry)
        let chromaGain = tone.whiteGain * (1 - desaturation)
        isLinear = tone.linearGain != nil
        if let gain = tone.linearGain {
            for plane in 0..<layout.planeCount {
                linear[plane].build(
                    layout, plane: plane, levels, frame.colorimetry.matrix, gain: gain,
                    chromaGain: chromaGain,
                    desaturation: desaturation)
            }
        } else {
            tables.fill(tone, layout, levels, chromaGain: chromaGain)
        }
    }

    func apply(to background: inout BackgroundRow<Sample>) {
        let (row, samples) = (background.writable(), background.samples)
        let mixes = layout.model == .rgb && desaturation > 0
        switch (isLinear, mixes) {
        case (true, false): linear[plane].apply(to: row, samples, layout)
        case (true, true): linear[plane].desaturate(row, samples, layout)
        case (false, false): tables.apply(to: row, samples, layout, plane: plane)
        case (false, true): tables.desaturate(row, samples, layout, weights, by: desaturation)
        }
    }
}

extension ComponentLayout {
    /// Returns the component's first sample in `samples`.
    func start(in samples: Range<Int>) -> Int {
        let beyond = max(0, samples.lowerBound - first)
        return first + (beyond + step - 1) / step * step
    }
}

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

/// Changes code values by tables, one entry per code, for transfers where light is not a factor of the
/// values.
final class ToneTables<Sample: PixelSample> {
    private let tones = ScratchBuffer<Float>()
    private let chroma = ScratchBuffer<Float>()

    func fill(_ tone: ToneCurve, _ layout: PixelLayout, _ levels: CodeLevels, chromaGain: Float) {
        let (count, maximum) = (layout.maximum + 1, Float(layout.maximum))
        // The table has one more value, for interpolation at the end.
        let (tones, chroma) = (tones.reserve(count + 1), chroma.reserve(count))
        for code in 0..<count {
            let value = tone.value(at: (Float(code) - levels.black.x) / levels.swing.x)
            tones[code] = min(max(levels.black.x + levels.swing.x * value, 0), maximum)
            chroma[code] = min(max(levels.black.y + (Float(code) - levels.black.y) * chromaGain, 0), maximum)
        }
        tones[count] = tones[count - 1]
    }

    /// Changes samples of a row.
    func apply(
        to row: UnsafeMutablePointer<Sample>, _ samples: Range<Int>, _ layout: PixelLayout, plane: Int
    ) {
        for index in 0..<layout.colorCount where layout.component(index).plane == plane {
            let part = layout.component(index)
            let isChroma = layout.model == .yuv && index > 0
            look(
                up: row, from: part.start(in: samples), to: samples.upperBound, part.step,
                isChroma ? chroma.base : tones.base, layout.shift)
        }
    }

    private func look(
        up row: UnsafeMutablePointer<Sample>, from first: Int, to end: Int, _ step: Int,
        _ table: UnsafePointer<Float>, _ shift: Int
    ) {
        let shift = Sample(truncatingIfNeeded: shift)
        var index = first
        while index < end {
            row[index] = .rounded(table[Int(truncatingIfNeeded: row[index] &>> shift)]) &<< shift
            index &+= step
        }
    }

    /// Changes whole pixels of R'G'B', which are drawn to their luma first; between codes the tone curve is
    /// interpolated.
    func desaturate(
        _ row: UnsafeMutablePointer<Sample>, _ samples: Range<Int>, _ layout: PixelLayout,
        _ weights: SIMD3<Float>, by desaturation: Float
    ) {
        let parts = (layout.components.0.first, layout.components.1.first, layout.components.2.first)
        let (step, share, tones) = (layout.components.0.step, 1 - desaturation, UnsafePointer(tones.base))
        let (weightR, weightG, weightB) = (weights.x, weights.y, weights.z)
        var pixel = row + samples.lowerBound
        for _ in 0..<(samples.count / step) {
            let (r, g, b) = (pixel[parts.0].float, pixel[parts.1].float, pixel[parts.2].float)
            let grey = (r * weightR + g * weightG + b * weightB) * desaturation
            pixel[parts.0] = Self.tone(r * share + grey, tones)
            pixel[parts.1] = Self.tone(g * share + grey, tones)
            pixel[parts.2] = Self.tone(b * share + grey, tones)
            pixel += step
        }
    }

    /// Returns the tone of a value between codes; a mean of codes stays within their range.
    @inline(__always)
    private static func tone(_ value: Float, _ tones: UnsafePointer<Float>) -> Sample {
        let inside = max(0, value - 0.5)
        let code = Int(truncatingIfNeeded: Sample.rounded(inside))
        let (low, high) = (tones[code], tones[code &+ 1])
        return .rounded(low + (high - low) * (value - Float(Int32(truncatingIfNeeded: code))))
    }
}

/// The change of a component from 0 (black) to 1 (white) when the light changes by some stops.
struct ToneCurve {
    private let light: Float
    private let transfer: Colorimetry.Transfer
    private let gain: Float

    /// The exponent by which displays turn a component into light (ITU-R BT.1886).
    private static let gamma: Float = 2.4

    init(stops: Double, _ transfer: Colorimetry.Transfer) {
        light = exp2f(Float(stops.limited(-10, 10)))
        gain = powf(light, 1 / Self.gamma)
        self.transfer = transfer
    }

    /// The factor of reference white.
    var whiteGain: Float {
        guard transfer != .sdr else { return gain }
        let white = ReferenceWhite.component(in: transfer)
        return value(at: white) / white
    }

    /// The factor of components that stay below white; nil where it differs from value to value.
    var linearGain: Float? { transfer == .sdr ? gain : nil }

    /// Returns the new value; a value that was not brighter than white does not become so.
    func value(at value: Float) -> Float {
        guard light != 1 else { return value }
        let changed =
            switch transfer {
            case .sdr: value * gain
            case .pq:
                value > 0 ? TransferFunction.pq(light: TransferFunction.light(pq: value) * light) : value
            case .hlg:
                value > 0
                    ? TransferFunction.hlg(scene: TransferFunction.sceneLight(hlg: value) * light) : value
            }
        return min(changed, max(value, 1))
    }
}
