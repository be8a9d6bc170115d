/// The conversion of an image's components to R'G'B': rgb = columns * (components - black).
///
/// Components are samples as stored; R'G'B' is 0...255 in full range.
struct ColorMatrix {
    /// Contributions of the first, second and third component to (R, G, B).
    let columns: (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>)
    /// The components of black.
    let black: SIMD3<Float>

    init(_ layout: PixelLayout, _ colorimetry: Colorimetry) {
        let levels = CodeLevels(layout, colorimetry)
        let unit = Float(1 << layout.shift)
        let scale = 255 / (levels.swing * unit)
        black = levels.black * unit
        switch layout.model {
        case .rgb:
            columns = (SIMD3(scale.x, 0, 0), SIMD3(0, scale.y, 0), SIMD3(0, 0, scale.z))
        case .gray:
            columns = (SIMD3(repeating: scale.x), SIMD3(), SIMD3())
        case .yuv:
            let weights = colorimetry.matrix.lumaWeights
            let (cb, cr) = (2 * scale.y * (1 - weights.z), 2 * scale.z * (1 - weights.x))
            columns = (
                SIMD3(repeating: scale.x), SIMD3(0, -cb * weights.z / weights.y, cb),
                SIMD3(cr, -cr * weights.x / weights.y, 0)
            )
        }
    }
}

extension ColorMatrix {
    /// Returns the luma of stored components, from 0 to 1.
    func luma(_ components: SIMD3<Float>, _ matrix: Colorimetry.Matrix) -> Float {
        let above = components - black
        let rgb = columns.0 * above.x + columns.1 * above.y + columns.2 * above.z
        return max(0, min((rgb * matrix.lumaWeights).sum() / 255, 1))
    }
}

extension Colorimetry.Matrix {
    /// Weights of R', G' and B' in Y' (ITU-R BT.601-7 2.5.1, BT.709-6 3.2, BT.2020-2 table 4).
    var lumaWeights: SIMD3<Float> {
        switch self {
        case .bt601: SIMD3(0.299, 0.587, 0.114)
        case .bt709: SIMD3(0.2126, 0.7152, 0.0722)
        case .bt2020: SIMD3(0.2627, 0.6780, 0.0593)
        }
    }
}

/// The code values between which a format's components lie.
struct CodeLevels {
    /// The components of black.
    let black: SIMD3<Float>
    /// The difference from black to white; for Cb and Cr from one extreme to the other.
    let swing: SIMD3<Float>

    init(_ layout: PixelLayout, _ colorimetry: Colorimetry) {
        let full = Float(layout.maximum)
        let isLimited = colorimetry.range == .limited && layout.model != .rgb
        // Limited ranges are those of 8 bits with zeros appended (ITU-R BT.2020-2 table 5).
        let unit = Float(1 << (layout.depth - 8))
        let foot = isLimited ? 16 * unit : 0
        let luma = isLimited ? 219 * unit : full
        switch layout.model {
        case .rgb, .gray:
            black = SIMD3(repeating: foot)
            swing = SIMD3(repeating: luma)
        case .yuv:
            let chroma = isLimited ? 224 * unit : full
            black = SIMD3(foot, 128 * unit, 128 * unit)
            swing = SIMD3(luma, chroma, chroma)
        }
    }
}
