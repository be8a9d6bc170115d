import Glibc

/// A finished mask: soft coverage, 0 = background, full scale = person.
///
/// Its values never change, so it may be used by several threads and tasks at once.
public final class Mask: Sendable {
    // Unsafe only for the compiler, which does not know that nobody writes to the memory any more.
    private nonisolated(unsafe) let memory: MaskMemory
    /// The mask's values for reading, valid as long as the mask lives.
    public var view: MaskView { memory.view }

    /// Creates a mask with the values that `write` writes; they are background where it writes none.
    ///
    /// - Parameter write: writes the rows into a view that is valid until it returns.
    /// - Returns: nil when a side is not in 1...`ImageView.maximumSide`, or the system has no memory.
    /// - Throws: the errors of `write`.
    public init?<Failure>(
        format: MaskFormat, width: Int, height: Int,
        _ write: (MutableMaskView) throws(Failure) -> Void
    ) throws(Failure) {
        guard let memory = MaskMemory(format: format, width: width, height: height) else { return nil }
        try write(memory.mutableView)
        self.memory = memory
    }

    /// Creates the mask of finished values.
    package init(_ memory: sending MaskMemory) { self.memory = memory }

    /// All values from 0 to 1, row by row.
    public var values: [Float] { view.values }
}

/// Memory for a mask that is written more than once.
package final class MaskMemory {
    /// The memory for writing, valid as long as the object lives.
    package let mutableView: MutableMaskView
    /// The memory for reading, valid as long as the object lives.
    package var view: MaskView { MaskView(mutableView) }
    /// All values from 0 to 1, row by row.
    package var values: [Float] { view.values }
    private let base: UnsafeMutableRawPointer

    /// Allocates a mask that is background everywhere.
    ///
    /// - Returns: nil when a side is not in 1...`ImageView.maximumSide`, or the system has no memory.
    package init?(format: MaskFormat, width: Int, height: Int) {
        let sides = 1...ImageView.maximumSide
        guard sides.contains(width), sides.contains(height) else { return nil }
        let stride = width * format.bytesPerValue
        guard let base = calloc(height, stride) else { return nil }
        guard
            let view = MutableMaskView(
                format: format, width: width, height: height, base: base, stride: stride,
                byteCount: stride * height)
        else {
            free(base)
            return nil
        }
        mutableView = view
        self.base = base
    }

    deinit { free(base) }
}

/// The storage of coverage in a mask: 0 = background, full scale = person.
public enum MaskFormat: String, CaseIterable, Sendable {
    /// 8 bits, 0...255.
    case gray8
    /// IEEE 754 half precision, 0...1, in the machine's byte order.
    case f16
    /// IEEE 754 single precision, 0...1, in the machine's byte order.
    case f32

    /// Bytes per value; rows and values are aligned to it.
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
/// The view owns nothing: its creator keeps the memory alive and unchanged while the view is in use.
public struct MaskView {
    /// The storage of values.
    public let format: MaskFormat
    /// Number of values in a row.
    public let width: Int
    /// Number of rows.
    public let height: Int
    /// Bytes from one row to the next.
    public let stride: Int
    private let base: UnsafeRawPointer

    /// Wraps borrowed memory.
    ///
    /// - Parameters:
    ///   - stride: bytes from one row to the next.
    ///   - byteCount: number of accessible bytes from `base` on.
    /// - Returns: nil when a side is not in 1...`ImageView.maximumSide`, the memory is too small, or
    ///   `base` or `stride` is not aligned to the format's values.
    public init?(
        format: MaskFormat, width: Int, height: Int, base: UnsafeRawPointer, stride: Int,
        byteCount: Int
    ) {
        let sides = 1...ImageView.maximumSide
        guard sides.contains(width), sides.contains(height) else { return nil }
        let rowBytes = width * format.bytesPerValue
        guard rowsFit(height, rowBytes: rowBytes, stride: stride, byteCount: byteCount),
            stride % format.bytesPerValue == 0, Int(bitPattern: base) % format.bytesPerValue == 0
        else { return nil }
        self.format = format
        self.width = width
        self.height = height
        self.stride = stride
        self.base = base
    }

    /// All values from 0 to 1, row by row.
    package var values: [Float] {
        [Float](unsafeUninitializedCapacity: width * height) { buffer, count in
            if let base = buffer.baseAddress {
                for y in 0..<height { readRow(y, into: base + y * width) }
            }
            count = width * height
        }
    }

    /// Returns the value of an 8-bit mask, such as a label map, at a point of the unit square or its edge.
    ///
    /// Returns nil outside of the unit square, and for other formats.
    package func value(at point: Point) -> Int? {
        guard format == .gray8, (0...1).contains(point.x), (0...1).contains(point.y) else { return nil }
        let x = min(Int(point.x * Double(width)), width - 1)
        let y = min(Int(point.y * Double(height)), height - 1)
        return Int(base.load(fromByteOffset: y &* stride &+ x, as: UInt8.self))
    }

    /// Reads row `y` as floats from 0 to `scale`.
    ///
    /// - Parameters:
    ///   - y: a row, 0..<`height`.
    ///   - undefined: the value that replaces NaN: 0...1, or NaN to keep it.
    ///   - values: memory for `width` floats.
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

/// Conversions of rows of mask values to and from floats.
///
/// The loops contain no tests and calls, so that the compiler vectorizes them. Half precision is converted
/// with integer arithmetic because the baseline x86-64 has no instruction for it.
enum MaskCoding {
    /// Clamps to 0...1; NaN becomes 0.
    @inline(__always)
    static func clamped(_ value: Float) -> Float {
        let positive = value > 0 ? value : 0
        return positive < 1 ? positive : 1
    }

    /// Clamps to 0...1; NaN becomes `undefined`.
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

/// Rounds a value in 0...255 to nearest.
///
/// Adding 2^23 leaves the rounded integer in the low bits. Unlike `UInt8(_:)` this cannot trap, so the
/// compiler vectorizes it.
@inline(__always)
func roundedByte(_ value: Float) -> UInt8 {
    UInt8(truncatingIfNeeded: (value + 8_388_608).bitPattern)
}

/// A borrowed mask for writing, and for reading as a `MaskView`.
///
/// The view owns nothing, and refuses the sizes and strides that `MaskView` refuses. While one thread writes
/// to it, no other thread may read or write the memory.
public struct MutableMaskView {
    let readable: MaskView
    private let base: UnsafeMutableRawPointer

    /// The storage of values.
    public var format: MaskFormat { readable.format }
    /// Number of values in a row.
    public var width: Int { readable.width }
    /// Number of rows.
    public var height: Int { readable.height }
    /// Bytes from one row to the next.
    public var stride: Int { readable.stride }

    /// Wraps borrowed memory.
    ///
    /// - Parameters:
    ///   - stride: bytes from one row to the next.
    ///   - byteCount: number of accessible bytes from `base` on.
    /// - Returns: nil under the same conditions as `MaskView`.
    public init?(
        format: MaskFormat, width: Int, height: Int, base: UnsafeMutableRawPointer, stride: Int,
        byteCount: Int
    ) {
        guard
            let readable = MaskView(
                format: format, width: width, height: height, base: base, stride: stride,
                byteCount: byteCount)
        else { return nil }
        self.readable = readable
        self.base = base
    }

    /// Writes row `y` from floats, clamped to 0...1 and rounded to nearest; NaN becomes 0.
    ///
    /// - Parameters:
    ///   - y: a row, 0..<`height`.
    ///   - values: `width` floats.
    public func writeRow(_ y: Int, from values: UnsafePointer<Float>) {
        let row = base + y &* stride
        switch format {
        case .gray8: MaskCoding.encode(values, width, into: row.assumingMemoryBound(to: UInt8.self))
        case .f16: MaskCoding.encode(values, width, into: row.assumingMemoryBound(to: UInt16.self))
        case .f32: MaskCoding.encode(values, width, into: row.assumingMemoryBound(to: Float.self))
        }
    }

    /// Sets all values to 0, whose bits are zeros in all formats.
    package func clear() {
        for y in 0..<height {
            (base + y &* stride).initializeMemory(
                as: UInt8.self, repeating: 0, count: width &* format.bytesPerValue)
        }
    }
}

extension MaskView {
    /// Creates the mask for reading.
    public init(_ mask: MutableMaskView) { self = mask.readable }
}

/// IEEE 754 half precision bit patterns (1 sign, 5 exponent, 10 fraction bits).
enum HalfFloat {
    /// Difference of the exponents' biases, in place in a single-precision pattern.
    private static let rebias: UInt32 = (127 - 15) << 23
    /// The smallest normal half, 2^-14.
    private static let smallestNormal: Float = 0x1p-14

    /// Returns the value of a pattern; infinities become values above 1 and negative numbers 0, which suits a
    /// mask.
    @inline(__always)
    static func decode(_ half: UInt16) -> Float {
        let bits = UInt32(half)
        let normal = Float(bitPattern: (bits << 13) &+ rebias)
        let subnormal = Float(Int32(truncatingIfNeeded: bits)) * 0x1p-24
        let value = bits < 0x400 ? subnormal : normal
        let positive = bits > 0x7C00 ? 0 : value
        return bits & 0x7FFF > 0x7C00 ? .nan : positive
    }

    /// Returns the nearest pattern (ties to even) of a value in 0...1.
    @inline(__always)
    static func encode(_ value: Float) -> UInt16 {
        let bits = value.bitPattern
        let isOdd = (bits >> 13) & 1
        let normal = (bits &- rebias &+ 0xFFF &+ isOdd) >> 13
        // Next to 0.5 a float's last place is 2^-24, the smallest half.
        let subnormal = (value + 0.5).bitPattern &- Float(0.5).bitPattern
        return UInt16(truncatingIfNeeded: value < smallestNormal ? subnormal : normal)
    }
}
