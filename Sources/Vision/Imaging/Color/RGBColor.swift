/// A colour in R'G'B', full range, 8 bits each, as on a computer's screen (sRGB).
public struct RGBColor: Sendable, Equatable {
    /// Red, 0...255.
    public var red: UInt8
    /// Green, 0...255.
    public var green: UInt8
    /// Blue, 0...255.
    public var blue: UInt8

    /// Creates a colour from its parts, 0...255 each.
    public init(red: UInt8, green: UInt8, blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// Black: no light.
    public static let black = RGBColor(red: 0, green: 0, blue: 0)
    /// The brightest white; reference white where the transfer goes beyond.
    public static let white = RGBColor(red: 255, green: 255, blue: 255)

    /// Returns the colour's code values in a format, in the order of `PixelLayout.components`.
    ///
    /// Values are rounded to nearest, and not shifted as in P010. Grey has one component, Y, repeated. White
    /// becomes reference white in PQ and HLG (`ReferenceWhite`).
    ///
    /// - Parameter colorimetry: the stream's colorimetry; matrix and range are ignored for RGB formats.
    package func components(
        of format: PixelFormat, colorimetry: Colorimetry
    ) -> (UInt16, UInt16, UInt16) {
        let layout = format.layout
        let levels = CodeLevels(layout, colorimetry)
        let rgb = ReferenceWhite.placed(
            SIMD3(Float(red), Float(green), Float(blue)) / 255, in: colorimetry)
        let values = levels.black + levels.swing * Self.components(rgb, layout.model, colorimetry.matrix)
        let code = { (value: Float) in UInt16(min(max(value, 0), Float(layout.maximum)).rounded()) }
        return (code(values.x), code(values.y), code(values.z))
    }

    /// Returns R'G'B' in 0...1 as the components of a model: R', G' and B' or Y' in 0...1, Cb and Cr in
    /// -0.5...0.5.
    static func components(
        _ rgb: SIMD3<Float>, _ model: ColorModel, _ matrix: Colorimetry.Matrix
    ) -> SIMD3<Float> {
        let weights = matrix.lumaWeights
        let luma = (weights * rgb).sum()
        return switch model {
        case .rgb: rgb
        case .gray: SIMD3(repeating: luma)
        case .yuv:
            SIMD3(luma, (rgb.z - luma) / (2 * (1 - weights.z)), (rgb.x - luma) / (2 * (1 - weights.x)))
        }
    }
}
