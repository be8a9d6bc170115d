/// A picture's brightness at two sizes, the smaller half as wide and high, turned upright.
///
/// Only where brightness changes counts for a guided filter, so the luma (or green) samples are taken
/// as they are stored, two per value: a fraction of the cost of converting colours.
package final class BrightnessPyramid {
    /// Brightness 0...1 at the full size.
    package let fine = MaskGrid()
    /// Brightness 0...1 at half the size.
    package let coarse = MaskGrid()

    private let columns = ScratchBuffer<Int>()
    private let rows = ScratchBuffer<Int>()
    private var geometry: Geometry?

    /// What the tables depend on.
    private struct Geometry: Equatable {
        let format: PixelFormat
        let width: Int
        let height: Int
        let stride: Int
        let orientation: ImageOrientation
        let target: PixelRect
    }

    /// A pyramid without picture.
    package init() {}

    /// Takes in a picture.
    ///
    /// - Parameters:
    ///   - width: of the smaller size.
    ///   - height: of the smaller size.
    package func update(_ image: ImageView, orientation: ImageOrientation, width: Int, height: Int) {
        fine.resize(width: 2 * width, height: 2 * height)
        coarse.resize(width: width, height: height)
        let layout = image.format.layout
        let part = layout.component(layout.model == .rgb ? 1 : 0)
        let plane = image.plane(part.plane)
        prepare(image, orientation, part, stride: plane.stride)
        let base = UnsafePointer(plane.row(0) + part.offset)
        for y in 0..<fine.height { sampleRow(y, base) }
        for y in 0..<height {
            Self.halve(fine.row(2 * y), fine.row(2 * y + 1), into: coarse.row(y), count: width)
        }
    }

    /// Notes the byte offsets of two samples per column and row; a sample's offset is their sum.
    private func prepare(
        _ image: ImageView, _ orientation: ImageOrientation, _ part: ComponentLayout, stride: Int
    ) {
        let wanted = Geometry(
            format: image.format, width: image.width, height: image.height, stride: stride,
            orientation: orientation, target: PixelRect(x: 0, y: 0, width: fine.width, height: fine.height))
        guard geometry != wanted else { return }
        geometry = wanted
        let map = FrameTransform.orientation(orientation)
        let (columns, rows) = (columns.reserve(2 * fine.width), rows.reserve(2 * fine.height))
        func offset(_ point: Point) -> (x: Int, y: Int) {
            let x = min(max(Int(point.x * Double(image.width)), 0), image.width - 1)
            let y = min(max(Int(point.y * Double(image.height)), 0), image.height - 1)
            return (x * part.pixelStride, y * stride)
        }
        for x in 0..<(2 * fine.width) {
            let at = offset(map.map(Point(x: (Double(x) + 0.5) / Double(2 * fine.width), y: 0.5)))
            columns[x] = orientation.swapsAxes ? at.y : at.x
        }
        for y in 0..<(2 * fine.height) {
            let at = offset(map.map(Point(x: 0.5, y: (Double(y) + 0.5) / Double(2 * fine.height))))
            rows[y] = orientation.swapsAxes ? at.x : at.y
        }
    }

    private func sampleRow(_ y: Int, _ base: UnsafePointer<UInt8>) {
        let (columns, values) = (columns.base, fine.row(y))
        let (upper, lower) = (base + rows.base[2 &* y], base + rows.base[2 &* y &+ 1])
        for x in 0..<fine.width {
            let sum = Int32(upper[columns[2 &* x]]) &+ Int32(lower[columns[2 &* x &+ 1]])
            values[x] = Float(sum) * (0.5 / 255)
        }
    }

    private static func halve(
        _ upper: UnsafePointer<Float>, _ lower: UnsafePointer<Float>, into row: UnsafeMutablePointer<Float>,
        count: Int
    ) {
        for x in 0..<count {
            let left = upper[2 &* x] + lower[2 &* x]
            row[x] = (left + upper[2 &* x &+ 1] + lower[2 &* x &+ 1]) * 0.25
        }
    }
}
