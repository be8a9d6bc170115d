import Glibc

/// Between light and code values.
enum TransferFunction {
    /// Light in 0...1 of a component in 0...1 (IEC 61966-2-1).
    static func sRGBLight(_ value: Float) -> Float {
        value <= 0.04045 ? value / 12.92 : powf((value + 0.055) / 1.055, 2.4)
    }

    /// A component in 0...1 of light in 0...1 (IEC 61966-2-1).
    static func sRGB(light: Float) -> Float {
        light <= 0.0031308 ? 12.92 * light : 1.055 * powf(light, 1 / 2.4) - 0.055
    }

    /// A PQ component in 0...1 of light in cd/m2 (SMPTE ST 2084, equation 5.2).
    static func pq(light: Float) -> Float {
        let power = powf(min(max(light, 0) / 10000, 1), 2610.0 / 16384)
        return powf((0.8359375 + 18.8515625 * power) / (1 + 18.6875 * power), 78.84375)
    }

    /// Light in cd/m2 of a PQ component in 0...1 (SMPTE ST 2084, equation 4.1).
    static func light(pq value: Float) -> Float {
        let root = powf(min(max(value, 0), 1), 1 / 78.84375)
        return 10000 * powf(max(root - 0.8359375, 0) / (18.8515625 - 18.6875 * root), 16384.0 / 2610)
    }

    /// An HLG component in 0...1 of scene light in 0...1 (ITU-R BT.2100-2, table 5).
    static func hlg(scene light: Float) -> Float {
        let light = min(max(light, 0), 1)
        return light <= 1 / 12
            ? (3 * light).squareRoot() : 0.17883277 * logf(12 * light - 0.28466892) + 0.55991073
    }

    /// Scene light in 0...1 of an HLG component in 0...1.
    static func sceneLight(hlg value: Float) -> Float {
        value <= 0.5 ? value * value / 3 : (expf((value - 0.55991073) / 0.17883277) + 0.28466892) / 12
    }
}
