/// A plain colour: one row of samples per plane serves all rows.
final class ColorRows<Sample: PixelSample>: BackgroundRows {
    static var areTheFrames: Bool { false }

    private let rows = Quad { ScratchBuffer<Sample>() }
    private var content: Content?
    /// The colour's luma, from 0 to 1.
    private(set) var brightness: Float = 0

    private struct Content: Equatable {
        let color: RGBColor
        let isOpaque: Bool
        let format: PixelFormat
        let width: Int
        let colorimetry: Colorimetry
    }

    /// Fills the rows for frames like `frame`, unless they are already.
    ///
    /// - Parameter isOpaque: whether alpha is full or 0; padding inside pixels is full.
    func prepare(_ color: RGBColor, isOpaque: Bool = true, for frame: ImageView) {
        let wanted = Content(
            color: color, isOpaque: isOpaque, format: frame.format, width: frame.width,
            colorimetry: frame.colorimetry)
        guard content != wanted else { return }
        content = wanted
        let layout = frame.format.layout
        for plane in 0..<layout.planeCount {
            let count = layout.rowSamples(plane: plane, width: frame.width)
            rows[plane].reserve(count).update(repeating: .max, count: count)
        }
        let codes = color.components(of: frame.format, colorimetry: frame.colorimetry)
        let matrix = ColorMatrix(layout, frame.colorimetry)
        let unit = UInt16(1 << layout.shift)
        brightness = matrix.luma(
            SIMD3(Float(codes.0 &* unit), Float(codes.1 &* unit), Float(codes.2 &* unit)),
            frame.colorimetry.matrix)
        for index in 0..<layout.colorCount {
            let code = index == 0 ? codes.0 : index == 1 ? codes.1 : codes.2
            fill(layout.component(index), code << UInt16(layout.shift), layout, frame.width)
        }
        if let alpha = layout.alpha, !isOpaque { fill(alpha, 0, layout, frame.width) }
    }

    private func fill(_ part: ComponentLayout, _ value: UInt16, _ layout: PixelLayout, _ width: Int) {
        let count = layout.rowSamples(plane: part.plane, width: width)
        for index in stride(from: part.first, to: count, by: part.step) {
            rows[part.plane].base[index] = Sample(truncatingIfNeeded: value)
        }
    }

    func row(_ row: Int, plane: Int, samples: Range<Int>) -> UnsafePointer<Sample> {
        self.row(plane: plane)
    }

    /// The row that serves all rows of `plane`.
    func row(plane: Int) -> UnsafePointer<Sample> { UnsafePointer(rows[plane].base) }
}
