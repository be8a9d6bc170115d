/// For one plane: which mask columns each sample of a row lies between.
final class AlphaColumns {
    private let firstBuffer = ScratchBuffer<Int32>()
    private let endBuffer = ScratchBuffer<Int32>()
    /// One tap per sample of a row, among the mask's columns.
    let taps = LinearTaps()
    /// The plane's vertical direction.
    private(set) var vertical = SampleAxis(count: 1, shift: 0, cosited: false)

    /// Samples of a row.
    var count: Int { taps.count }

    /// Builds the table for masks of `maskWidth` columns.
    func build(_ frame: ImageView, plane: Int, maskWidth: Int) {
        let layout = frame.format.layout
        vertical = layout.verticalAxis(
            plane: plane, height: frame.height, site: frame.colorimetry.chromaSite)
        let columnsPerPixel = Double(maskWidth) / Double(frame.width)
        taps.build(count: layout.rowSamples(plane: plane, width: frame.width), samples: maskWidth) {
            Self.pixelPosition(ofSample: $0, plane: plane, frame, layout) * columnsPerPixel - 0.5
        }
        buildBounds(maskWidth: maskWidth)
    }

    /// Continuous pixel position of a sample.
    private static func pixelPosition(
        ofSample index: Int, plane: Int, _ frame: ImageView, _ layout: PixelLayout
    ) -> Double {
        switch layout.owner(ofSample: index, plane: plane) {
        case .part(let part, let sample):
            let axis = layout.part(part).horizontalAxis(
                width: frame.width, site: frame.colorimetry.chromaSite)
            return (Double(sample) - axis.offset) / axis.scale
        case .padding(let pixel):
            return Double(pixel) + 0.5
        }
    }

    /// Samples of a packed row are not quite in the order of their positions (chroma may lie left of the
    /// luma before it), so the bounds are running extremes.
    private func buildBounds(maskWidth: Int) {
        let (firsts, ends) = (firstBuffer.reserve(maskWidth), endBuffer.reserve(maskWidth))
        firsts.update(repeating: 0, count: maskWidth)
        ends.update(repeating: Int32(truncatingIfNeeded: count), count: maskWidth)
        for index in 0..<count {
            let left = taps[index].first
            if left + 1 < maskWidth { firsts[left + 1] = Int32(truncatingIfNeeded: index + 1) }
        }
        for index in (0..<count).reversed() where taps[index].last > 0 {
            ends[taps[index].last - 1] = Int32(truncatingIfNeeded: index)
        }
        for column in 1..<max(1, maskWidth) { firsts[column] = max(firsts[column], firsts[column - 1]) }
        for column in (0..<(maskWidth - 1)).reversed() { ends[column] = min(ends[column], ends[column + 1]) }
    }

    /// The samples that depend on mask columns `columns` only; empty if there are none.
    func samples(within columns: Range<Int>) -> Range<Int> {
        let first = Int(firstBuffer.base[columns.lowerBound])
        return first..<max(first, Int(endBuffer.base[columns.upperBound &- 1]))
    }
}
