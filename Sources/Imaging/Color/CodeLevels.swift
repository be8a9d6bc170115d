/// The code values between which a format's components move.
struct CodeLevels {
    /// The components of black.
    let black: SIMD3<Float>
    /// From black to white; for Cb and Cr from one extreme to the other.
    let swing: SIMD3<Float>

    init(_ layout: PixelLayout, _ colorimetry: Colorimetry) {
        let full = Float(layout.maximum)
        let isLimited = colorimetry.range == .limited && layout.model != .rgb
        // Limited ranges are those of 8 bits with zeros after them (ITU-R BT.2020-2 table 5).
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
