import Glibc

/// Where colours of a computer's screen belong in video of high dynamic range.
///
/// Graphics white is 203 cd/m2: 58 % in PQ, 75 % in HLG (ITU-R BT.2408-7, 2.2). There, colours keep
/// their chromaticities when they go from BT.709's to BT.2020's primaries.
enum ReferenceWhite {
    /// In cd/m2.
    private static let luminance: Float = 203

    /// R'G'B' in 0...1, coded for a stream; without a change where the stream is of standard range.
    static func placed(_ rgb: SIMD3<Float>, in colorimetry: Colorimetry) -> SIMD3<Float> {
        switch colorimetry.transfer {
        case .sdr: rgb
        case .pq: each(light(rgb, colorimetry) * luminance) { TransferFunction.pq(light: $0) }
        case .hlg: hlg(light(rgb, colorimetry) * luminance)
        }
    }

    /// Inverts HLG's system gamma, which is 1.2 on a display of 1000 cd/m2 (ITU-R BT.2100-2, table 5).
    private static func hlg(_ light: SIMD3<Float>) -> SIMD3<Float> {
        let shown = light / 1000
        let luma = max((shown * Colorimetry.Matrix.bt2020.lumaWeights).sum(), 1e-9)
        return each(shown * powf(luma, 1 / 1.2 - 1)) { TransferFunction.hlg(scene: $0) }
    }

    private static func light(_ rgb: SIMD3<Float>, _ colorimetry: Colorimetry) -> SIMD3<Float> {
        let linear = each(rgb) { TransferFunction.sRGBLight($0) }
        guard colorimetry.matrix == .bt2020 else { return linear }
        // ITU-R BT.2087-0, 4.
        return SIMD3(
            (linear * SIMD3(0.6274, 0.3293, 0.0433)).sum(), (linear * SIMD3(0.0691, 0.9195, 0.0114)).sum(),
            (linear * SIMD3(0.0164, 0.0880, 0.8956)).sum())
    }

    private static func each(_ values: SIMD3<Float>, _ function: (Float) -> Float) -> SIMD3<Float> {
        SIMD3(function(values.x), function(values.y), function(values.z))
    }
}
