/// One plane of an image for reading: borrowed memory, rows `stride` bytes apart.
public struct Plane {
    /// First byte of the first row.
    public let base: UnsafeRawPointer
    /// Bytes from one row to the next; at least the row's own bytes.
    public let stride: Int

    /// Creates a plane at `base` with rows `stride` bytes apart.
    public init(base: UnsafeRawPointer, stride: Int) {
        self.base = base
        self.stride = stride
    }

    /// Returns the first byte of row `y`.
    @inlinable
    public func row(_ y: Int) -> UnsafePointer<UInt8> {
        base.advanced(by: y &* stride).assumingMemoryBound(to: UInt8.self)
    }

    /// Returns the first sample of row `y`.
    @inline(__always)
    func samples<Sample: PixelSample>(_ y: Int) -> UnsafePointer<Sample> {
        base.advanced(by: y &* stride).assumingMemoryBound(to: Sample.self)
    }
}

/// A borrowed image for reading, in one of the table's formats; `MutableImageView` is for writing.
///
/// The view owns nothing: its creator keeps the memory alive and, for reading from several threads, unchanged
/// while the view is in use. `init` refuses sizes and strides that do not fit together, so that code which
/// stays inside `width` and `height` stays inside the memory.
public struct ImageView {
    /// The maximum size of a side; larger sizes are refused, so that index arithmetic cannot overflow.
    public static let maximumSide = 32768

    /// The pixel format.
    public let format: PixelFormat
    /// Number of pixels in a row.
    public let width: Int
    /// Number of rows.
    public let height: Int
    /// The meaning of Y'CbCr values; ignored for RGB formats.
    public let colorimetry: Colorimetry
    private let planes: (Plane, Plane, Plane, Plane)

    /// Wraps borrowed memory.
    ///
    /// - Parameters:
    ///   - planes: the planes; as many as the format has are used, and the rest may repeat the last.
    ///   - byteCounts: number of accessible bytes from each plane's base on.
    /// - Returns: nil when the size is out of range, a stride or plane is too small for it, or a plane of
    ///   two-byte samples begins or continues at an odd address.
    public init?(
        format: PixelFormat, width: Int, height: Int, colorimetry: Colorimetry = Colorimetry(),
        planes: (Plane, Plane, Plane, Plane), byteCounts: (Int, Int, Int, Int)
    ) {
        let sides = 1...Self.maximumSide
        guard sides.contains(width), sides.contains(height) else { return nil }
        self.format = format
        self.width = width
        self.height = height
        self.colorimetry = colorimetry
        self.planes = planes
        let planeCount = format.layout.planeCount
        guard fits(plane: 0, bytes: byteCounts.0),
            planeCount < 2 || fits(plane: 1, bytes: byteCounts.1),
            planeCount < 3 || fits(plane: 2, bytes: byteCounts.2),
            planeCount < 4 || fits(plane: 3, bytes: byteCounts.3)
        else { return nil }
    }

    /// Wraps the borrowed memory of an image in one plane.
    ///
    /// - Returns: nil under the same conditions as the other initializer.
    public init?(
        format: PixelFormat, width: Int, height: Int, colorimetry: Colorimetry = Colorimetry(), plane: Plane,
        byteCount: Int
    ) {
        self.init(
            format: format, width: width, height: height, colorimetry: colorimetry,
            planes: (plane, plane, plane, plane), byteCounts: (byteCount, 0, 0, 0))
    }

    /// Returns the plane `index` (0..<`format.layout.planeCount`).
    @inlinable
    public func plane(_ index: Int) -> Plane {
        switch index {
        case 0: firstPlane
        case 1: secondPlane
        case 2: thirdPlane
        default: fourthPlane
        }
    }

    @usableFromInline var firstPlane: Plane { planes.0 }
    @usableFromInline var secondPlane: Plane { planes.1 }
    @usableFromInline var thirdPlane: Plane { planes.2 }
    @usableFromInline var fourthPlane: Plane { planes.3 }

    private func fits(plane index: Int, bytes: Int) -> Bool {
        let (base, stride) = (plane(index).base, plane(index).stride)
        let alignment = format.layout.bytesPerSample
        guard Int(bitPattern: base) % alignment == 0, stride % alignment == 0 else { return false }
        let rowBytes = format.layout.rowBytes(plane: index, width: width)
        let rows = format.layout.rows(plane: index, height: height)
        return rowsFit(rows, rowBytes: rowBytes, stride: stride, byteCount: bytes)
    }
}

/// Whether rows of `rowBytes`, `stride` bytes apart, lie within `byteCount` bytes; strides that could
/// overflow are refused.
func rowsFit(_ rows: Int, rowBytes: Int, stride: Int, byteCount: Int) -> Bool {
    stride >= rowBytes && stride <= 1 << 24 && byteCount >= stride * (rows - 1) + rowBytes
}

extension ImageView {
    /// Copies the rows of a plane into other memory.
    func copyRows(ofPlane index: Int, to target: MutablePlane) {
        let (source, bytes) = (plane(index), format.layout.rowBytes(plane: index, width: width))
        for y in 0..<format.layout.rows(plane: index, height: height) {
            target.row(y).update(from: source.row(y), count: bytes)
        }
    }
}

/// A copy of a borrowed image, for work that continues after the image's memory has been released.
///
/// The copy keeps its memory, so that a stream of images of one size allocates nothing.
package final class ImageCopy {
    /// The last frame; valid until the next one.
    package private(set) var view: ImageView?

    private let planes = Quad { ScratchBuffer<UInt8>() }

    /// Creates an empty copy.
    package init() {}

    /// Copies `image`, row by row.
    package func take(_ image: ImageView) {
        let layout = image.format.layout
        func copy(_ index: Int) -> (plane: Plane, bytes: Int) {
            let target = planes[index]
            guard index < layout.planeCount else { return (Plane(base: target.base, stride: 0), 0) }
            let (rows, rowBytes) = (
                layout.rows(plane: index, height: image.height),
                layout.rowBytes(plane: index, width: image.width)
            )
            // Samples of two bytes begin at even addresses.
            let stride = (rowBytes + 1) & ~1
            target.reserve(stride * rows)
            image.copyRows(ofPlane: index, to: MutablePlane(base: target.base, stride: stride))
            return (Plane(base: target.base, stride: stride), stride * rows)
        }
        let (first, second, third, fourth) = (copy(0), copy(1), copy(2), copy(3))
        view = ImageView(
            format: image.format, width: image.width, height: image.height, colorimetry: image.colorimetry,
            planes: (first.plane, second.plane, third.plane, fourth.plane),
            byteCounts: (first.bytes, second.bytes, third.bytes, fourth.bytes))
    }
}

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

extension MutableImageView {
    /// Returns a part of the image, in the same memory; nil if it is not inside.
    ///
    /// Chroma samples belong to one part only: the part begins at the nearest pixel on the left and above that does
    /// not share its chroma with the one before.
    package func part(_ rect: PixelRect) -> MutableImageView? {
        let layout = format.layout
        let corner = layout.corner(before: rect)
        let moved = PixelRect(x: corner.x, y: corner.y, width: rect.width, height: rect.height)
        guard moved.isInside(width: width, height: height) else { return nil }
        func part(_ index: Int) -> (plane: MutablePlane, bytes: Int) {
            let whole = plane(index)
            let part = layout.part(moved, ofPlane: index, stride: whole.stride)
            return (MutablePlane(base: whole.base + part.first, stride: whole.stride), part.bytes)
        }
        let (first, second, third, fourth) = (part(0), part(1), part(2), part(3))
        return MutableImageView(
            format: format, width: rect.width, height: rect.height, colorimetry: colorimetry,
            planes: (first.plane, second.plane, third.plane, fourth.plane),
            byteCounts: (first.bytes, second.bytes, third.bytes, fourth.bytes))
    }

    /// Copies the pixels of an image of the same format; does nothing for another format or size.
    package func copyRows(of image: ImageView) {
        guard (format, width, height) == (image.format, image.width, image.height) else { return }
        for index in 0..<format.layout.planeCount { image.copyRows(ofPlane: index, to: plane(index)) }
    }
}

extension ImageView {
    /// Returns a part of the image, in the same memory, with its place; nil if it is empty or not inside.
    ///
    /// The part is larger where it would divide pixels that share chroma: it then begins at the nearest pixel on the
    /// left and above that does not share its chroma with the one before.
    package func part(around rect: PixelRect) -> (view: ImageView, place: PixelRect)? {
        let layout = format.layout
        let corner = layout.corner(before: rect)
        let place = PixelRect(
            x: corner.x, y: corner.y, width: rect.width + rect.x - corner.x,
            height: rect.height + rect.y - corner.y)
        guard rect.width > 0, rect.height > 0, place.isInside(width: width, height: height) else {
            return nil
        }
        func part(_ index: Int) -> (plane: Plane, bytes: Int) {
            let whole = plane(index)
            let part = layout.part(place, ofPlane: index, stride: whole.stride)
            return (Plane(base: whole.base + part.first, stride: whole.stride), part.bytes)
        }
        let (first, second, third, fourth) = (part(0), part(1), part(2), part(3))
        let view = ImageView(
            format: format, width: place.width, height: place.height, colorimetry: colorimetry,
            planes: (first.plane, second.plane, third.plane, fourth.plane),
            byteCounts: (first.bytes, second.bytes, third.bytes, fourth.bytes))
        return view.map { ($0, place) }
    }
}

extension PixelLayout {
    /// Returns the nearest corner, on the left and above, whose pixel does not share its chroma with those before.
    fileprivate func corner(before rect: PixelRect) -> (x: Int, y: Int) {
        let shared = sharedShifts
        return ((rect.x >> shared.width) << shared.width, (rect.y >> shared.height) << shared.height)
    }

    /// Returns the offset of a part's first sample in a plane, and the bytes from there to its last.
    fileprivate func part(_ rect: PixelRect, ofPlane index: Int, stride: Int) -> (first: Int, bytes: Int) {
        let rows = rows(plane: index, height: rect.height)
        return (
            bytes(plane: index, before: rect.x) + rect.y >> heightShift(plane: index) * stride,
            stride * (rows - 1) + rowBytes(plane: index, width: rect.width)
        )
    }
}

extension PixelRect {
    fileprivate func isInside(width: Int, height: Int) -> Bool {
        x >= 0 && y >= 0 && self.width <= width - x && self.height <= height - y
    }
}
