/// The storage of distances along the camera's optical axis in a depth map.
public enum DepthFormat: String, CaseIterable, Sendable {
    /// 16 bits, little-endian, in millimetres; 0 is unknown.
    case millimetres = "GRAY16_LE"
    /// IEEE 754 single precision in the machine's byte order, in metres; 0, negative and infinite values and
    /// NaN are unknown.
    case metres = "f32"

    /// Bytes per distance.
    public var bytesPerValue: Int {
        switch self {
        case .millimetres: 2
        case .metres: 4
        }
    }
}

/// A borrowed depth map, which covers the whole of an image at any size.
///
/// Distances are along the optical axis, not along each pixel's ray, as depth cameras provide them. The view
/// owns nothing: its creator keeps the memory alive and unchanged while the view is in use.
public struct DepthView {
    /// The storage of distances.
    public let format: DepthFormat
    /// Number of distances in a row.
    public let width: Int
    /// Number of rows.
    public let height: Int
    private let base: UnsafeRawPointer
    private let stride: Int

    /// Wraps borrowed memory.
    ///
    /// - Parameters:
    ///   - stride: bytes from one row to the next.
    ///   - byteCount: number of accessible bytes from `base` on.
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

    /// Returns the distance in metres at a point, normalised to 0...1 of the stored image.
    ///
    /// The distance is the median of the known values among the nearest one and its neighbours.
    ///
    /// - Returns: nil outside of the image, and where nothing is known.
    public func distance(at point: Point) -> Double? {
        guard (0..<1).contains(point.x), (0..<1).contains(point.y) else { return nil }
        let (x, y) = (Int(point.x * Double(width)), Int(point.y * Double(height)))
        var (known, count) = (SIMD16<Float>(), 0)
        for row in max(0, y - 1)...min(height - 1, y + 1) {
            for column in max(0, x - 1)...min(width - 1, x + 1) {
                guard let value = value(column, row) else { continue }
                // Insertion into the sorted values.
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

    /// Returns a value in metres; nil where unknown.
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
