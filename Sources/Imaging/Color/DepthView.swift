/// How a depth map stores distances along the camera's optical axis.
public enum DepthFormat: String, CaseIterable, Sendable {
    /// 16 bit, little-endian, in millimetres; 0 is unknown.
    case millimetres = "GRAY16_LE"
    /// IEEE 754 single precision in the machine's byte order, in metres; 0, negative and infinite ones and what is no
    /// number are unknown.
    case metres = "f32"

    /// Bytes of one distance.
    public var bytesPerValue: Int {
        switch self {
        case .millimetres: 2
        case .metres: 4
        }
    }
}

/// A borrowed depth map, which covers the whole of an image at any size.
///
/// Distances are along the optical axis, not along each pixel's ray, as depth cameras give them. The view owns nothing:
/// its maker keeps the memory alive and unchanged while the view is in use.
public struct DepthView {
    /// How distances are stored.
    public let format: DepthFormat
    /// Distances in a row.
    public let width: Int
    /// Rows.
    public let height: Int
    private let base: UnsafeRawPointer
    private let stride: Int

    /// Wraps borrowed memory.
    ///
    /// - Parameters:
    ///   - stride: bytes from one row to the next.
    ///   - byteCount: accessible bytes from `base`.
    /// - Returns: nil when a side is not in 1...`ImageView.maximumSide`, or the memory is too small.
    public init?(
        format: DepthFormat, width: Int, height: Int, base: UnsafeRawPointer, stride: Int, byteCount: Int
    ) {
        let sides = 1...ImageView.maximumSide
        guard sides.contains(width), sides.contains(height) else { return nil }
        let rowBytes = width * format.bytesPerValue
        guard rowsFit(height, rowBytes: rowBytes, stride: stride, byteCount: byteCount) else { return nil }
        (self.format, self.width, self.height, self.base, self.stride) = (format, width, height, base, stride)
    }

    /// The distance in metres at a point, normalised to 0...1 of the image as it is stored: the median of those that
    /// are known within a value of it.
    ///
    /// - Returns: nil outside of the image, and where nothing is known.
    public func distance(at point: Point) -> Double? {
        guard (0..<1).contains(point.x), (0..<1).contains(point.y) else { return nil }
        let (x, y) = (Int(point.x * Double(width)), Int(point.y * Double(height)))
        var (known, count) = (SIMD16<Float>(), 0)
        for row in max(0, y - 1)...min(height - 1, y + 1) {
            for column in max(0, x - 1)...min(width - 1, x + 1) {
                guard let value = value(column, row) else { continue }
                // Insertion into the sorted ones.
                var place = count
                while place > 0, known[place - 1] > value {
                    known[place] = known[place - 1]
                    place -= 1
                }
                known[place] = value
                count += 1
            }
        }
        guard count > 0 else { return nil }
        return Double(known[(count - 1) / 2] + known[count / 2]) / 2
    }

    /// Metres; nil where unknown.
    private func value(_ x: Int, _ y: Int) -> Float? {
        let place = base + (y * stride + x * format.bytesPerValue)
        switch format {
        case .millimetres:
            let millimetres = UInt16(littleEndian: place.loadUnaligned(as: UInt16.self))
            return millimetres > 0 ? Float(millimetres) / 1000 : nil
        case .metres:
            let metres = place.loadUnaligned(as: Float.self)
            return metres > 0 && metres.isFinite ? metres : nil
        }
    }
}
