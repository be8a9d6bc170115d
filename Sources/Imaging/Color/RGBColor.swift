/// A colour in R'G'B', full range, 8 bits each.
public struct RGBColor: Sendable, Equatable {
    /// Red, 0...255.
    public var red: UInt8
    /// Green, 0...255.
    public var green: UInt8
    /// Blue, 0...255.
    public var blue: UInt8

    /// A colour from its parts, 0...255 each.
    public init(red: UInt8, green: UInt8, blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// No light.
    public static let black = RGBColor(red: 0, green: 0, blue: 0)

    /// The colour's components in a format, in the order of `PixelLayout.components`.
    ///
    /// Values are rounded to nearest. Grey has one component, Y, repeated.
    ///
    /// - Parameter colorimetry: ignored for RGB formats.
    public func components(
        of format: PixelFormat, colorimetry: Colorimetry
    ) -> (UInt8, UInt8, UInt8) {
        let model = format.layout.model
        guard model != .rgb else { return (red, green, blue) }
        let limited = colorimetry.range == .limited
        let weights = colorimetry.matrix.lumaWeights
        let (r, b) = (Float(red), Float(blue))
        let luma = weights.x * r + weights.y * Float(green) + weights.z * b
        let y = byte(limited ? 16 + luma * 219 / 255 : luma)
        guard model == .yuv else { return (y, y, y) }
        let chromaScale: Float = limited ? 112 / 255 : 0.5
        return (
            y, byte(128 + (b - luma) * chromaScale / (1 - weights.z)),
            byte(128 + (r - luma) * chromaScale / (1 - weights.x))
        )
    }

    private func byte(_ value: Float) -> UInt8 { UInt8(min(max(value, 0), 255).rounded()) }
}
