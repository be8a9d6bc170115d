/// Rows of mask values to and from floats.
///
/// All loops are free of tests and calls, so that they become vector code. Half precision is converted
/// with integer arithmetic because the baseline x86-64 has no instruction for it.
enum MaskCoding {
    /// Clamps to 0...1; what is not a number becomes 0.
    @inline(__always)
    static func clamped(_ value: Float) -> Float {
        let positive = value > 0 ? value : 0
        return positive < 1 ? positive : 1
    }

    static func decode(
        _ row: UnsafePointer<UInt8>, _ count: Int, scale: Float, into values: UnsafeMutablePointer<Float>
    ) {
        let unit = scale / 255
        for i in 0..<count { values[i] = Float(row[i]) * unit }
    }

    static func decode(
        _ row: UnsafePointer<UInt16>, _ count: Int, scale: Float, into values: UnsafeMutablePointer<Float>
    ) {
        for i in 0..<count { values[i] = clamped(HalfFloat.decode(row[i])) * scale }
    }

    static func decode(
        _ row: UnsafePointer<Float>, _ count: Int, scale: Float, into values: UnsafeMutablePointer<Float>
    ) {
        for i in 0..<count { values[i] = clamped(row[i]) * scale }
    }

    static func encode(
        _ values: UnsafePointer<Float>, _ count: Int, into row: UnsafeMutablePointer<UInt8>
    ) {
        for i in 0..<count { row[i] = roundedByte(clamped(values[i]) * 255) }
    }

    static func encode(
        _ values: UnsafePointer<Float>, _ count: Int, into row: UnsafeMutablePointer<UInt16>
    ) {
        for i in 0..<count { row[i] = HalfFloat.encode(clamped(values[i])) }
    }

    static func encode(
        _ values: UnsafePointer<Float>, _ count: Int, into row: UnsafeMutablePointer<Float>
    ) {
        for i in 0..<count { row[i] = clamped(values[i]) }
    }
}

/// A value in 0...255, rounded to nearest.
///
/// Adding 2^23 leaves the rounded integer in the low bits. Unlike `UInt8(_:)` it cannot trap, and so
/// becomes vector code.
@inline(__always)
func roundedByte(_ value: Float) -> UInt8 {
    UInt8(truncatingIfNeeded: (value + 8_388_608).bitPattern)
}
