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
