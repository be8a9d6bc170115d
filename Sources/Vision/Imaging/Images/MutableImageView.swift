/// One plane of an image for reading and writing: borrowed memory, rows `stride` bytes apart.
public struct MutablePlane {
    /// First byte of the first row.
    public let base: UnsafeMutableRawPointer
    /// Bytes from one row to the next; at least the row's own bytes.
    public let stride: Int

    /// Creates a plane at `base` with rows `stride` bytes apart.
    public init(base: UnsafeMutableRawPointer, stride: Int) {
        self.base = base
        self.stride = stride
    }

    /// Returns the first byte of row `y`.
    @inlinable
    public func row(_ y: Int) -> UnsafeMutablePointer<UInt8> {
        base.advanced(by: y &* stride).assumingMemoryBound(to: UInt8.self)
    }

    /// Returns the first sample of row `y`.
    @inline(__always)
    func samples<Sample: PixelSample>(_ y: Int) -> UnsafeMutablePointer<Sample> {
        base.advanced(by: y &* stride).assumingMemoryBound(to: Sample.self)
    }
}

extension Plane {
    /// Creates the plane for reading.
    @inlinable
    public init(_ plane: MutablePlane) { self.init(base: plane.base, stride: plane.stride) }
}

/// A borrowed image for reading and writing, in one of the table's formats.
///
/// The view owns nothing, and refuses the sizes and strides that `ImageView` refuses. While one thread writes
/// to it, no other thread may read or write the memory.
public struct MutableImageView {
    @usableFromInline let readable: ImageView
    private let planes: (MutablePlane, MutablePlane, MutablePlane, MutablePlane)

    /// The pixel format.
    public var format: PixelFormat { readable.format }
    /// Number of pixels in a row.
    public var width: Int { readable.width }
    /// Number of rows.
    public var height: Int { readable.height }
    /// The meaning of Y'CbCr values; ignored for RGB formats.
    public var colorimetry: Colorimetry { readable.colorimetry }

    /// Wraps borrowed memory.
    ///
    /// - Parameters:
    ///   - planes: the planes; as many as the format has are used, and the rest may repeat the last.
    ///   - byteCounts: number of accessible bytes from each plane's base on.
    /// - Returns: nil under the same conditions as `ImageView`.
    public init?(
        format: PixelFormat, width: Int, height: Int, colorimetry: Colorimetry = Colorimetry(),
        planes: (MutablePlane, MutablePlane, MutablePlane, MutablePlane), byteCounts: (Int, Int, Int, Int)
    ) {
        let readablePlanes = (Plane(planes.0), Plane(planes.1), Plane(planes.2), Plane(planes.3))
        guard
            let readable = ImageView(
                format: format, width: width, height: height, colorimetry: colorimetry,
                planes: readablePlanes, byteCounts: byteCounts)
        else { return nil }
        self.readable = readable
        self.planes = planes
    }

    /// Wraps the borrowed memory of an image in one plane.
    ///
    /// - Returns: nil under the same conditions as the other initializer.
    public init?(
        format: PixelFormat, width: Int, height: Int, colorimetry: Colorimetry = Colorimetry(),
        plane: MutablePlane, byteCount: Int
    ) {
        self.init(
            format: format, width: width, height: height, colorimetry: colorimetry,
            planes: (plane, plane, plane, plane), byteCounts: (byteCount, 0, 0, 0))
    }

    /// Returns the plane `index` (0..<`format.layout.planeCount`).
    @inlinable
    public func plane(_ index: Int) -> MutablePlane {
        switch index {
        case 0: firstPlane
        case 1: secondPlane
        case 2: thirdPlane
        default: fourthPlane
        }
    }

    @usableFromInline var firstPlane: MutablePlane { planes.0 }
    @usableFromInline var secondPlane: MutablePlane { planes.1 }
    @usableFromInline var thirdPlane: MutablePlane { planes.2 }
    @usableFromInline var fourthPlane: MutablePlane { planes.3 }
}

extension ImageView {
    /// Creates the image for reading.
    @inlinable
    public init(_ image: MutableImageView) { self = image.readable }
}

extension MutableImageView {
    /// Exchanges left and right in place, in the image's own format.
    ///
    /// Chroma samples keep their position among the luma samples that share them.
    public func flipHorizontally() {
        if format.layout.bytesPerSample == 1 { flip(UInt8.self) } else { flip(UInt16.self) }
    }

    private func flip<Sample: PixelSample>(_: Sample.Type) {
        let layout = format.layout
        for index in 0..<layout.partCount {
            let part = layout.part(index)
            let last = part.first + (part.sampleWidth(width) - 1) * part.step
            for y in 0..<part.sampleHeight(height) {
                let row: UnsafeMutablePointer<Sample> = plane(part.plane).samples(y)
                var (left, right) = (part.first, last)
                while left < right {
                    (row[left], row[right]) = (row[right], row[left])
                    left += part.step
                    right -= part.step
                }
            }
        }
    }
}
