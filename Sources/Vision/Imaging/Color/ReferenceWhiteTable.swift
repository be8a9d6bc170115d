import Glibc

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
