/// How a picture's components become R'G'B', and back: rgb = columns * (components - black).
///
/// Everything is in code values 0...255, R'G'B' in full range.
struct ColorMatrix {
    /// What the first, second and third component add to (R, G, B).
    let columns: (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>)
    /// The components of black.
    let black: SIMD3<Float>

    init(_ model: ColorModel, _ colorimetry: Colorimetry) {
        let limited = colorimetry.range == .limited
        let lumaScale: Float = limited ? 255 / 219 : 1
        let foot: Float = limited ? 16 : 0
        switch model {
        case .rgb:
            columns = (SIMD3(1, 0, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 1))
            black = SIMD3()
        case .gray:
            columns = (SIMD3(repeating: lumaScale), SIMD3(), SIMD3())
            black = SIMD3(foot, 0, 0)
        case .yuv:
            let chromaScale: Float = limited ? 255 / 112 : 2
            let weights = colorimetry.matrix.lumaWeights
            let (cb, cr) = (chromaScale * (1 - weights.z), chromaScale * (1 - weights.x))
            columns = (
                SIMD3(repeating: lumaScale),
                SIMD3(0, -cb * weights.z / weights.y, cb),
                SIMD3(cr, -cr * weights.x / weights.y, 0)
            )
            black = SIMD3(foot, 128, 128)
        }
    }
}

extension Colorimetry.Matrix {
    /// Shares of R', G' and B' in Y' (ITU-R BT.601-7 2.5.1, BT.709-6 3.2, BT.2020-2 table 4).
    var lumaWeights: SIMD3<Float> {
        switch self {
        case .bt601: SIMD3(0.299, 0.587, 0.114)
        case .bt709: SIMD3(0.2126, 0.7152, 0.0722)
        case .bt2020: SIMD3(0.2627, 0.6780, 0.0593)
        }
    }
}
