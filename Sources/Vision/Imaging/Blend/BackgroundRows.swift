/// A source of the background's samples for a compositor.
protocol BackgroundRows {
    associatedtype Sample: PixelSample

    /// Whether the rows are those of the frame that is composed.
    static var areTheFrames: Bool { get }

    /// Returns the samples of a row, indexed like the frame's; only `samples` need be valid.
    ///
    /// Rows of a plane are requested in ascending order.
    func row(_ row: Int, plane: Int, samples: Range<Int>) -> UnsafePointer<Sample>
}

/// A picture of the frame's format and size.
struct PictureRows<Sample: PixelSample>: BackgroundRows {
    let picture: ImageView

    static var areTheFrames: Bool { false }

    func row(_ row: Int, plane: Int, samples: Range<Int>) -> UnsafePointer<Sample> {
        picture.plane(plane).samples(row)
    }
}

/// The frame itself, as it was before the requested samples were composed.
final class OriginalRows<Sample: PixelSample>: BackgroundRows {
    private let copy = ScratchBuffer<Sample>()
    private var frame: ImageView?

    static var areTheFrames: Bool { true }

    /// Starts a frame, which must stay valid until `end`.
    func begin(_ frame: ImageView) {
        self.frame = frame
        copy.reserve(frame.format.layout.longestRow(width: frame.width))
    }

    func end() { frame = nil }

    func row(_ row: Int, plane: Int, samples: Range<Int>) -> UnsafePointer<Sample> {
        if let frame {
            let (first, source) = (
                samples.lowerBound, frame.plane(plane).samples(row) as UnsafePointer<Sample>
            )
            (copy.base + first).update(from: source + first, count: samples.count)
        }
        return UnsafePointer(copy.base)
    }
}

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

    /// Fills the rows for frames like `frame`, unless they are already filled.
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

    /// Returns the row that serves all rows of `plane`.
    func row(plane: Int) -> UnsafePointer<Sample> { UnsafePointer(rows[plane].base) }
}
