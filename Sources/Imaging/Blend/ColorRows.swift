/// A plain colour: one row of bytes per plane serves all rows.
final class ColorRows: BackgroundRows {
    private let rows = Triple { ScratchBuffer<UInt8>() }
    private var content: Content?

    private struct Content: Equatable {
        let color: RGBColor
        let format: PixelFormat
        let width: Int
        let colorimetry: Colorimetry
    }

    /// Fills the rows for frames like `frame`, unless they are already.
    func prepare(_ color: RGBColor, for frame: ImageView) {
        let wanted = Content(
            color: color, format: frame.format, width: frame.width, colorimetry: frame.colorimetry)
        guard content != wanted else { return }
        content = wanted
        let layout = frame.format.layout
        let bytes = color.components(of: frame.format, colorimetry: frame.colorimetry)
        for plane in 0..<layout.planeCount {
            let count = layout.rowBytes(plane: plane, width: frame.width)
            // Alpha and padding bytes belong to no component and stay opaque.
            rows[plane].reserve(count).update(repeating: 255, count: count)
        }
        for index in 0..<layout.colorCount {
            let part = layout.component(index)
            let count = layout.rowBytes(plane: part.plane, width: frame.width)
            let value = index == 0 ? bytes.0 : index == 1 ? bytes.1 : bytes.2
            for byte in stride(from: part.offset, to: count, by: part.pixelStride) {
                rows[part.plane].base[byte] = value
            }
        }
    }

    func row(_ row: Int, plane: Int, bytes: Range<Int>) -> UnsafePointer<UInt8> {
        UnsafePointer(rows[plane].base)
    }
}
