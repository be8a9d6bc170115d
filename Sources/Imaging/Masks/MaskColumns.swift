/// For one plane: which mask columns each byte of a row lies between.
final class MaskColumns {
    private let tapBuffer = ScratchBuffer<LinearTap>()
    private let firstBuffer = ScratchBuffer<Int32>()
    private let endBuffer = ScratchBuffer<Int32>()
    /// Bytes of a row.
    private(set) var byteCount = 0

    /// One tap per byte.
    var taps: UnsafePointer<LinearTap> { UnsafePointer(tapBuffer.base) }

    /// Builds the table for masks of `maskWidth` columns.
    func build(_ frame: ImageView, plane: Int, maskWidth: Int) {
        let layout = frame.format.layout
        byteCount = layout.rowBytes(plane: plane, width: frame.width)
        let taps = tapBuffer.reserve(byteCount)
        let columnsPerPixel = Double(maskWidth) / Double(frame.width)
        for byte in 0..<byteCount {
            let pixel = Self.pixelPosition(ofByte: byte, plane: plane, frame, layout)
            taps[byte] = LinearTap(position: pixel * columnsPerPixel - 0.5, samples: maskWidth)
        }
        buildBounds(maskWidth: maskWidth)
    }

    /// Continuous pixel position of the sample that a byte belongs to.
    private static func pixelPosition(
        ofByte byte: Int, plane: Int, _ frame: ImageView, _ layout: PixelLayout
    ) -> Double {
        switch layout.owner(ofByte: byte, plane: plane) {
        case .color(let component, let sample):
            let axis = layout.component(component).horizontalAxis(
                width: frame.width, site: frame.colorimetry.chromaSite)
            return (Double(sample) - axis.offset) / axis.scale
        case .other(let pixel):
            return Double(pixel) + 0.5
        }
    }

    /// Bytes of a packed row are not quite in the order of their positions (a chroma byte may lie left
    /// of the luma byte before it), so the bounds are running extremes.
    private func buildBounds(maskWidth: Int) {
        let (firsts, ends) = (firstBuffer.reserve(maskWidth), endBuffer.reserve(maskWidth))
        firsts.update(repeating: 0, count: maskWidth)
        ends.update(repeating: Int32(truncatingIfNeeded: byteCount), count: maskWidth)
        for byte in 0..<byteCount {
            let left = Int(taps[byte].index)
            if left + 1 < maskWidth { firsts[left + 1] = Int32(truncatingIfNeeded: byte + 1) }
        }
        for byte in (0..<byteCount).reversed() where taps[byte].last > 0 {
            ends[taps[byte].last - 1] = Int32(truncatingIfNeeded: byte)
        }
        for column in 1..<max(1, maskWidth) { firsts[column] = max(firsts[column], firsts[column - 1]) }
        for column in (0..<(maskWidth - 1)).reversed() { ends[column] = min(ends[column], ends[column + 1]) }
    }

    /// The bytes that depend on mask columns `columns` only; empty if there are none.
    func bytes(within columns: Range<Int>) -> Range<Int> {
        let first = Int(firstBuffer.base[columns.lowerBound])
        return first..<max(first, Int(endBuffer.base[columns.upperBound &- 1]))
    }
}
