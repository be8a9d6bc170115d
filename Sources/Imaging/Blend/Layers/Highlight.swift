/// Another exposure and less colour for the background, so that the subject stands out.
public struct Highlight: Sendable, Equatable, EffectParameters {
    /// Change of the light in stops: -1 halves it, 1 doubles it; limited to -10...10.
    public var exposure: Double
    /// Share of the colour that is taken away: 0 none, 1 all (grey).
    public var desaturation: Double

    /// A highlight; without arguments it changes nothing.
    public init(exposure: Double = 0, desaturation: Double = 0) {
        self.exposure = exposure
        self.desaturation = desaturation
    }

    var isVisible: Bool { abs(exposure) > 0 || desaturation > 0 }

    var layers: EffectLayers {
        EffectLayers(bytes: HighlightLayer<UInt8>(self), words: HighlightLayer<UInt16>(self))
    }
}

extension BackgroundEffect {
    /// Brighter or darker, and less coloured.
    public static func highlight(_ highlight: Highlight) -> BackgroundEffect { BackgroundEffect(highlight) }
}

/// Exposure and desaturation, sample by sample.
///
/// Light times 2^stops is, after a power law, R'G'B' times 2^(stops / gamma) and so Y', Cb and Cr times
/// the same. PQ and HLG have luma and R'G'B' by their transfer functions; their Cb and Cr grow as reference
/// white does.
final class HighlightLayer<Sample: PixelSample>: BackgroundLayer {
    var parameters: Highlight
    private let tones = ScratchBuffer<Float>()
    private let chroma = ScratchBuffer<Float>()
    private var content: Content?
    private var layout = PixelFormat.gray8.layout
    private var weights = SIMD3<Float>()
    private var desaturation: Float = 0
    private var plane = 0

    private struct Content: Equatable {
        let highlight: Highlight
        let format: PixelFormat
        let colorimetry: Colorimetry
    }

    init(_ parameters: Highlight) { self.parameters = parameters }

    func begin(_ frame: FrameContext) -> LayerOpacity? {
        fillTables(parameters, for: frame.image)
        return .adjustment
    }

    func selectRow(_ row: Int, plane: Int, of frame: ImageView) { self.plane = plane }

    /// Does nothing while the tables are filled already.
    private func fillTables(_ highlight: Highlight, for frame: ImageView) {
        let wanted = Content(highlight: highlight, format: frame.format, colorimetry: frame.colorimetry)
        guard content != wanted else { return }
        content = wanted
        layout = frame.format.layout
        weights = frame.colorimetry.matrix.lumaWeights
        desaturation = Float(highlight.desaturation.limited(0, 1))
        let tone = ToneCurve(stops: highlight.exposure, frame.colorimetry.transfer)
        let levels = CodeLevels(layout, frame.colorimetry)
        let (count, maximum) = (layout.maximum + 1, Float(layout.maximum))
        // One value more, for interpolation at the end.
        let (tones, chroma) = (tones.reserve(count + 1), chroma.reserve(count))
        let chromaGain = tone.whiteGain * (1 - desaturation)
        for code in 0..<count {
            let value = tone.value(at: (Float(code) - levels.black.x) / levels.swing.x)
            tones[code] = min(max(levels.black.x + levels.swing.x * value, 0), maximum)
            chroma[code] = min(max(levels.black.y + (Float(code) - levels.black.y) * chromaGain, 0), maximum)
        }
        tones[count] = tones[count - 1]
    }

    func apply(to background: inout BackgroundRow<Sample>) {
        let (row, samples) = (background.writable(), background.samples)
        if layout.model == .rgb, desaturation > 0 { return mix(row, samples) }
        for index in 0..<layout.colorCount where layout.component(index).plane == plane {
            let part = layout.component(index)
            let isChroma = layout.model == .yuv && index > 0
            look(
                up: row, from: part.start(in: samples), to: samples.upperBound, part.step,
                isChroma ? chroma.base : tones.base)
        }
    }

    private func look(
        up row: UnsafeMutablePointer<Sample>, from first: Int, to end: Int, _ step: Int,
        _ table: UnsafePointer<Float>
    ) {
        let shift = Sample(truncatingIfNeeded: layout.shift)
        var index = first
        while index < end {
            row[index] = .rounded(table[Int(truncatingIfNeeded: row[index] &>> shift)]) &<< shift
            index &+= step
        }
    }

    /// R'G'B' is drawn to its luma first; between codes the tone curve is interpolated.
    private func mix(_ row: UnsafeMutablePointer<Sample>, _ samples: Range<Int>) {
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

    /// The tone of a value between codes; a mean of codes stays among them.
    @inline(__always)
    private static func tone(_ value: Float, _ tones: UnsafePointer<Float>) -> Sample {
        let inside = max(0, value - 0.5)
        let code = Int(truncatingIfNeeded: Sample.rounded(inside))
        let (low, high) = (tones[code], tones[code &+ 1])
        return .rounded(low + (high - low) * (value - Float(Int32(truncatingIfNeeded: code))))
    }
}

extension ComponentLayout {
    /// The component's first sample in `samples`.
    func start(in samples: Range<Int>) -> Int {
        let beyond = max(0, samples.lowerBound - first)
        return first + (beyond + step - 1) / step * step
    }
}
