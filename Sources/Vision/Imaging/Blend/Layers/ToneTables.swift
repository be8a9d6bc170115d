import Glibc

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
