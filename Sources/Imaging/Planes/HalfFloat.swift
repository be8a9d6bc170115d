/// IEEE 754 half precision bit patterns (1 sign, 5 exponent, 10 fraction bits).
enum HalfFloat {
    /// Distance of the exponents' biases, in place in a single-precision pattern.
    private static let rebias: UInt32 = (127 - 15) << 23
    /// The smallest normal half, 2^-14.
    private static let smallestNormal: Float = 0x1p-14

    /// The value of a pattern; infinities become values above 1 and negative numbers 0, both of which suits a mask.
    @inline(__always)
    static func decode(_ half: UInt16) -> Float {
        let bits = UInt32(half)
        let normal = Float(bitPattern: (bits << 13) &+ rebias)
        let subnormal = Float(Int32(truncatingIfNeeded: bits)) * 0x1p-24
        let value = bits < 0x400 ? subnormal : normal
        let positive = bits > 0x7C00 ? 0 : value
        return bits & 0x7FFF > 0x7C00 ? .nan : positive
    }

    /// The nearest pattern (ties to even) of a value in 0...1.
    @inline(__always)
    static func encode(_ value: Float) -> UInt16 {
        let bits = value.bitPattern
        let isOdd = (bits >> 13) & 1
        let normal = (bits &- rebias &+ 0xFFF &+ isOdd) >> 13
        // Beside 0.5 a float's last place is 2^-24, the smallest half.
        let subnormal = (value + 0.5).bitPattern &- Float(0.5).bitPattern
        return UInt16(truncatingIfNeeded: value < smallestNormal ? subnormal : normal)
    }
}
