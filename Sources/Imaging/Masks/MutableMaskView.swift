/// A borrowed mask for writing, and for reading as a `MaskView`.
///
/// The view owns nothing, and refuses the sizes and strides that `MaskView` refuses. While it is written
/// to, no other thread may read or write the memory.
public struct MutableMaskView {
    let readable: MaskView
    private let base: UnsafeMutableRawPointer

    /// How values are stored.
    public var format: MaskFormat { readable.format }
    /// Values in a row.
    public var width: Int { readable.width }
    /// Rows.
    public var height: Int { readable.height }
    /// Bytes from one row to the next.
    public var stride: Int { readable.stride }

    /// Wraps borrowed memory.
    ///
    /// - Parameters:
    ///   - stride: bytes from one row to the next.
    ///   - byteCount: accessible bytes from `base`.
    /// - Returns: nil where `MaskView` would be.
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

    /// Writes row `y` from floats, clamped to 0...1 and rounded to nearest; what is not a number is 0.
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
}

extension MaskView {
    /// The same mask for reading.
    public init(_ mask: MutableMaskView) { self = mask.readable }
}
