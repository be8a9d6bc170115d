/// How a mask stores coverage: 0 = background, full scale = person.
public enum MaskFormat: String, CaseIterable, Sendable {
    /// 8 bit, 0...255.
    case gray8
    /// IEEE 754 half precision, 0...1, in the machine's byte order.
    case f16
    /// IEEE 754 single precision, 0...1, in the machine's byte order.
    case f32

    /// Bytes of one value; rows and values are aligned to it.
    public var bytesPerValue: Int {
        switch self {
        case .gray8: 1
        case .f16: 2
        case .f32: 4
        }
    }
}

/// A borrowed mask for reading; `MutableMaskView` is for writing.
///
/// The view owns nothing: its maker keeps the memory alive and unchanged while the view is in use.
public struct MaskView {
    /// How values are stored.
    public let format: MaskFormat
    /// Values in a row.
    public let width: Int
    /// Rows.
    public let height: Int
    /// Bytes from one row to the next.
    public let stride: Int
    private let base: UnsafeRawPointer

    /// Wraps borrowed memory.
    ///
    /// - Parameters:
    ///   - stride: bytes from one row to the next.
    ///   - byteCount: accessible bytes from `base`.
    /// - Returns: nil when a side is not in 1...`ImageView.maximumSide`, the memory is too small, or
    ///   `base` or `stride` is not aligned to the format's values.
    public init?(
        format: MaskFormat, width: Int, height: Int, base: UnsafeRawPointer, stride: Int,
        byteCount: Int
    ) {
        let sides = 1...ImageView.maximumSide
        guard sides.contains(width), sides.contains(height) else { return nil }
        let rowBytes = width * format.bytesPerValue
        guard stride >= rowBytes, stride <= 1 << 24, byteCount >= stride * (height - 1) + rowBytes,
            stride % format.bytesPerValue == 0, Int(bitPattern: base) % format.bytesPerValue == 0
        else { return nil }
        self.format = format
        self.width = width
        self.height = height
        self.stride = stride
        self.base = base
    }

    /// Reads row `y` as floats from 0 to `scale`.
    ///
    /// - Parameters:
    ///   - y: a row, 0..<`height`.
    ///   - undefined: what a value that is not a number counts as: 0...1, or NaN to keep it.
    ///   - values: room for `width` floats.
    public func readRow(
        _ y: Int, scale: Float = 1, undefined: Float = 0, into values: UnsafeMutablePointer<Float>
    ) {
        let row = base + y &* stride
        switch format {
        case .gray8:
            MaskCoding.decode(row.assumingMemoryBound(to: UInt8.self), width, scale: scale, into: values)
        case .f16:
            MaskCoding.decode(
                row.assumingMemoryBound(to: UInt16.self), width, scale: scale, undefined: undefined,
                into: values)
        case .f32:
            MaskCoding.decode(
                row.assumingMemoryBound(to: Float.self), width, scale: scale, undefined: undefined,
                into: values)
        }
    }
}

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

    /// Clamps to 0...1; what is not a number becomes `undefined`.
    @inline(__always)
    static func clamped(_ value: Float, undefined: Float) -> Float {
        value == value ? clamped(value) : undefined
    }

    static func decode(
        _ row: UnsafePointer<UInt8>, _ count: Int, scale: Float, into values: UnsafeMutablePointer<Float>
    ) {
        let unit = scale / 255
        for i in 0..<count { values[i] = Float(row[i]) * unit }
    }

    static func decode(
        _ row: UnsafePointer<UInt16>, _ count: Int, scale: Float, undefined: Float,
        into values: UnsafeMutablePointer<Float>
    ) {
        for i in 0..<count {
            values[i] = clamped(HalfFloat.decode(row[i]), undefined: undefined) * scale
        }
    }

    static func decode(
        _ row: UnsafePointer<Float>, _ count: Int, scale: Float, undefined: Float,
        into values: UnsafeMutablePointer<Float>
    ) {
        for i in 0..<count { values[i] = clamped(row[i], undefined: undefined) * scale }
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
