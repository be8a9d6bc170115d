import Glibc

/// The place of a computer screen's colours in video of high dynamic range.
///
/// Graphics white is 203 cd/m2: 58 % in PQ, 75 % in HLG (ITU-R BT.2408-7, 2.2). Colours keep their
/// chromaticities when they are converted from BT.709's to BT.2020's primaries.
enum ReferenceWhite {
    /// Luminance of graphics white in cd/m2.
    static let luminance: Float = 203
    /// Peak luminance of HLG's display, in cd/m2, and its system gamma (ITU-R BT.2100-2, table 5).
    static let (hlgPeak, hlgGamma): (Float, Float) = (1000, 1.2)

    /// Returns the component of graphics white, 0...1.
    static func component(in transfer: Colorimetry.Transfer) -> Float {
        switch transfer {
        case .sdr: 1
        case .pq: 0.58
        case .hlg: 0.75
        }
    }

    /// Returns R'G'B' in 0...1, coded for a stream; unchanged for streams of standard range.
    static func placed(_ rgb: SIMD3<Float>, in colorimetry: Colorimetry) -> SIMD3<Float> {
        switch colorimetry.transfer {
        case .sdr: rgb
        case .pq: each(light(rgb, colorimetry) * luminance) { TransferFunction.pq(light: $0) }
        case .hlg: hlg(light(rgb, colorimetry) * luminance)
        }
    }

    /// Inverts HLG's system gamma.
    private static func hlg(_ light: SIMD3<Float>) -> SIMD3<Float> {
        let shown = light / hlgPeak
        let luma = (shown * Colorimetry.Matrix.bt2020.lumaWeights).sum()
        return each(shown * hlgGain(luma: luma)) { TransferFunction.hlg(scene: $0) }
    }

    /// Returns the factor from light on HLG's display, where 1 is the peak, to light of the scene.
    static func hlgGain(luma: Float) -> Float { powf(max(luma, 1e-9), 1 / hlgGamma - 1) }

    private static func light(_ rgb: SIMD3<Float>, _ colorimetry: Colorimetry) -> SIMD3<Float> {
        let linear = each(rgb) { TransferFunction.sRGBLight($0) }
        return colorimetry.matrix == .bt2020 ? widened(linear) : linear
    }

    /// Converts light of BT.709's primaries to BT.2020's (ITU-R BT.2087-0, 4).
    static func widened(_ rgb: SIMD3<Float>) -> SIMD3<Float> {
        SIMD3(
            (rgb * SIMD3(0.6274, 0.3293, 0.0433)).sum(), (rgb * SIMD3(0.0691, 0.9195, 0.0114)).sum(),
            (rgb * SIMD3(0.0164, 0.0880, 0.8956)).sum())
    }

    private static func each(_ values: SIMD3<Float>, _ function: (Float) -> Float) -> SIMD3<Float> {
        SIMD3(function(values.x), function(values.y), function(values.z))
    }
}

/// Conversions between light and code values.
enum TransferFunction {
    /// Returns light in 0...1 for a component in 0...1 (IEC 61966-2-1).
    static func sRGBLight(_ value: Float) -> Float {
        value <= 0.04045 ? value / 12.92 : powf((value + 0.055) / 1.055, 2.4)
    }

    /// Returns a component in 0...1 for light in 0...1 (IEC 61966-2-1).
    static func sRGB(light: Float) -> Float {
        light <= 0.0031308 ? 12.92 * light : 1.055 * powf(light, 1 / 2.4) - 0.055
    }

    /// Returns a PQ component in 0...1 for light in cd/m2 (SMPTE ST 2084, equation 5.2).
    static func pq(light: Float) -> Float {
        let power = powf(min(max(light, 0) / 10000, 1), 2610.0 / 16384)
        return powf((0.8359375 + 18.8515625 * power) / (1 + 18.6875 * power), 78.84375)
    }

    /// Returns light in cd/m2 for a PQ component in 0...1 (SMPTE ST 2084, equation 4.1).
    static func light(pq value: Float) -> Float {
        let root = powf(min(max(value, 0), 1), 1 / 78.84375)
        return 10000 * powf(max(root - 0.8359375, 0) / (18.8515625 - 18.6875 * root), 16384.0 / 2610)
    }

    /// Returns an HLG component in 0...1 for scene light in 0...1 (ITU-R BT.2100-2, table 5).
    static func hlg(scene light: Float) -> Float {
        let light = min(max(light, 0), 1)
        return light <= 1 / 12
            ? (3 * light).squareRoot() : 0.17883277 * logf(12 * light - 0.28466892) + 0.55991073
    }

    /// Returns scene light in 0...1 for an HLG component in 0...1.
    static func sceneLight(hlg value: Float) -> Float {
        value <= 0.5 ? value * value / 3 : (expf((value - 0.55991073) / 0.17883277) + 0.28466892) / 12
    }
}

/// Converts images of a computer's screen to video of another transfer function or wider primaries.
///
/// It computes the same as `ReferenceWhite` does for a single colour; tables make it fast enough for whole
/// images.
package final class ReferenceWhiteTable {
    private let transfer: Colorimetry.Transfer
    private let isWide: Bool
    /// Light in 0...1 for each component value.
    private let light: [Float]
    /// Component values in 0...65535 for light.
    private let code: RootTable
    /// HLG's inverse system gamma, as a function of the luminance.
    private let gain: RootTable

    /// Creates a table for streams with this transfer function.
    ///
    /// - Parameter isWide: whether images have BT.709's primaries and the stream has BT.2020's.
    package init(_ transfer: Colorimetry.Transfer, isWide: Bool) {
        self.transfer = transfer
        self.isWide = isWide
        light = (0..<65536).map { TransferFunction.sRGBLight(Float($0) / 65535) }
        // HLG's gain brightens pure blue by 1.6.
        code = RootTable(to: 2) { Self.component(light: $0, transfer) * 65535 }
        gain = RootTable(to: 1) { ReferenceWhite.hlgGain(luma: $0) }
    }

    /// Converts all pixels in place; alpha stays.
    package func apply(to image: ARGB64Image) {
        light.withUnsafeBufferPointer { light in
            for y in 0..<image.height {
                let row = image.row(y)
                for x in 0..<image.width { row[x] = placed(row[x], light) }
            }
        }
    }

    private func placed(_ pixel: ARGB64Image.Pixel, _ light: UnsafeBufferPointer<Float>) -> ARGB64Image.Pixel
    {
        var rgb = SIMD3(light[Int(pixel.y)], light[Int(pixel.z)], light[Int(pixel.w)])
        if isWide { rgb = ReferenceWhite.widened(rgb) }
        if transfer == .hlg { rgb *= gain[Self.luminance(rgb)] }
        return ARGB64Image.Pixel(pixel.x, sample(rgb.x), sample(rgb.y), sample(rgb.z))
    }

    private func sample(_ light: Float) -> UInt16 { UInt16(min(code[light], 65535).rounded()) }

    private static func luminance(_ rgb: SIMD3<Float>) -> Float {
        (rgb * Colorimetry.Matrix.bt2020.lumaWeights).sum()
    }

    /// Returns a component in 0...1 for light, where 1 is graphics white; HLG's is divided by its gain.
    private static func component(light: Float, _ transfer: Colorimetry.Transfer) -> Float {
        let white = ReferenceWhite.luminance
        return switch transfer {
        case .sdr: TransferFunction.sRGB(light: light)
        case .pq: TransferFunction.pq(light: light * white)
        case .hlg:
            TransferFunction.hlg(
                scene: light * powf(white / ReferenceWhite.hlgPeak, 1 / ReferenceWhite.hlgGamma))
        }
    }
}

/// A function that changes quickly near 0: its values lie at equal steps of the fourth root.
private struct RootTable {
    private static let steps = 4096
    private let values: [Float]
    private let limit: Float

    init(to limit: Float, _ function: (Float) -> Float) {
        self.limit = limit
        values = (0...Self.steps + 1).map { index in
            let root = Float(index) / Float(Self.steps)
            return function(root * root * root * root * limit)
        }
    }

    subscript(_ value: Float) -> Float {
        let share = min(max(value / limit, 0), 1)
        let root = share.squareRoot().squareRoot() * Float(Self.steps)
        let index = Int(root)
        return values[index] + (values[index + 1] - values[index]) * (root - Float(index))
    }
}

/// Converts components in PQ or HLG to those that a computer's screen would show.
///
/// Models were trained on images of standard range; code values of other ranges look pale in comparison.
/// Graphics white (`ReferenceWhite`) and everything brighter becomes white. Primaries stay.
struct SDRToneMapping {
    private static let steps = 1024
    private static let pq = SDRToneMapping { TransferFunction.light(pq: $0) / ReferenceWhite.luminance }
    /// The mapping with HLG's system gamma, applied to each component by itself.
    private static let hlg = SDRToneMapping {
        powf(TransferFunction.sceneLight(hlg: $0), ReferenceWhite.hlgGamma) * ReferenceWhite.hlgPeak
            / ReferenceWhite.luminance
    }

    /// R', G' or B' in 0...1 for code values at equal steps, and one more value.
    private let values: [Float]

    /// Creates a mapping.
    ///
    /// - Parameter light: returns the light of a code value in 0...1; 1 is graphics white.
    private init(_ light: (Float) -> Float) {
        values = (0...Self.steps + 1).map {
            TransferFunction.sRGB(light: min(light(Float($0) / Float(Self.steps)), 1))
        }
    }

    /// Returns the mapping of a transfer; nil for standard range, whose components stay.
    static func of(_ transfer: Colorimetry.Transfer) -> SDRToneMapping? {
        switch transfer {
        case .sdr: nil
        case .pq: pq
        case .hlg: hlg
        }
    }

    /// Converts all values of a tensor in place.
    func apply(to tensor: UnsafeMutablePointer<Float>, _ input: TensorInput) {
        let (low, range, last) = (input.low, input.high - input.low, Float(Self.steps))
        values.withUnsafeBufferPointer { values in
            for index in 0..<input.valueCount {
                // Unlike `min` and `max`, these two functions return a number for NaN.
                let place = Float.minimum(Float.maximum((tensor[index] - low) / range * last, 0), last)
                let step = Int(place)
                let value = values[step] + (values[step + 1] - values[step]) * (place - Float(step))
                tensor[index] = low + value * range
            }
        }
    }
}
