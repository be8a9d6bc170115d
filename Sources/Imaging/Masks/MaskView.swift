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

    /// Reads row `y` as floats from 0 to `scale`; what is not a number reads as 0.
    ///
    /// - Parameters:
    ///   - y: a row, 0..<`height`.
    ///   - values: room for `width` floats.
    public func readRow(_ y: Int, scale: Float = 1, into values: UnsafeMutablePointer<Float>) {
        let row = base + y &* stride
        switch format {
        case .gray8:
            MaskCoding.decode(row.assumingMemoryBound(to: UInt8.self), width, scale: scale, into: values)
        case .f16:
            MaskCoding.decode(row.assumingMemoryBound(to: UInt16.self), width, scale: scale, into: values)
        case .f32:
            MaskCoding.decode(row.assumingMemoryBound(to: Float.self), width, scale: scale, into: values)
        }
    }
}
