import CKernels

/// The mask columns between which each sample of a plane's row lies.
final class AlphaColumns {
    private let firstBuffer = ScratchBuffer<Int32>()
    private let endBuffer = ScratchBuffer<Int32>()
    private let fractionBuffer = ScratchBuffer<Float>()
    private let spanBuffer = ScratchBuffer<kernel_alpha_span>()
    /// The number of each sample's span.
    private let spanNumbers = ScratchBuffer<Int32>()
    /// The plane's vertical direction.
    private(set) var vertical = SampleAxis(count: 1, shift: 0, cosited: false)
    /// Number of samples of a row.
    private(set) var count = 0
    /// Number of columns of the mask.
    private(set) var maskWidth = 0

    /// Number of samples beyond a row that the kernels may read and write.
    static let slack = Int(KERNEL_ALPHA_BLOCK) - 1

    /// Builds the table for masks of `maskWidth` columns.
    func build(_ frame: ImageView, plane: Int, maskWidth: Int) {
        self.maskWidth = maskWidth
        let layout = frame.format.layout
        vertical = layout.verticalAxis(
            plane: plane, height: frame.height, site: frame.colorimetry.chromaSite)
        let columnsPerPixel = Double(maskWidth) / Double(frame.width)
        buildSpans(count: layout.rowSamples(plane: plane, width: frame.width)) { sample in
            let position = Self.pixelPosition(ofSample: sample, plane: plane, frame, layout)
            return LinearTap(position: position * columnsPerPixel - 0.5, samples: maskWidth)
        }
        buildBounds(maskWidth: maskWidth)
    }

    private func buildSpans(count: Int, tap: (_ sample: Int) -> LinearTap) {
        self.count = count
        let fractions = fractionBuffer.reserve(count + Self.slack)
        let (spans, numbers) = (spanBuffer.reserve(count), spanNumbers.reserve(count))
        (fractions + count).update(repeating: 0, count: Self.slack)
        var number = -1
        for sample in 0..<count {
            let tap = tap(sample)
            if number < 0 || spans[number].column != tap.index {
                number += 1
                spans[number].column = tap.index
            }
            spans[number].end = Int32(truncatingIfNeeded: sample + 1)
            (fractions[sample], numbers[sample]) = (tap.fraction, Int32(truncatingIfNeeded: number))
        }
    }

    /// The distance of each sample from its column, as a share of that to the next one, 0...1.
    var fractions: UnsafePointer<Float> { UnsafePointer(fractionBuffer.base) }

    /// Returns the spans from that of `sample` on.
    func spans(from sample: Int) -> UnsafePointer<kernel_alpha_span> {
        UnsafePointer(spanBuffer.base + Int(spanNumbers.base[sample]))
    }

    /// Returns the continuous pixel position of a sample.
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

    private func tap(_ sample: Int) -> LinearTap {
        LinearTap(index: spans(from: sample).pointee.column, fraction: fractions[sample])
    }

    /// Computes running extremes as bounds, because samples of a packed row are not quite in the order of
    /// their positions: chroma may lie left of the luma before it.
    private func buildBounds(maskWidth: Int) {
        let (firsts, ends) = (firstBuffer.reserve(maskWidth), endBuffer.reserve(maskWidth))
        firsts.update(repeating: 0, count: maskWidth)
        ends.update(repeating: Int32(truncatingIfNeeded: count), count: maskWidth)
        for index in 0..<count {
            let left = tap(index).first
            if left + 1 < maskWidth { firsts[left + 1] = Int32(truncatingIfNeeded: index + 1) }
        }
        for index in (0..<count).reversed() where tap(index).last > 0 {
            ends[tap(index).last - 1] = Int32(truncatingIfNeeded: index)
        }
        for column in 1..<max(1, maskWidth) { firsts[column] = max(firsts[column], firsts[column - 1]) }
        for column in (0..<(maskWidth - 1)).reversed() { ends[column] = min(ends[column], ends[column + 1]) }
    }

    /// Returns the samples that depend on mask columns `columns` only; empty if there are none.
    func samples(within columns: Range<Int>) -> Range<Int> {
        let first = Int(firstBuffer.base[columns.lowerBound])
        return first..<max(first, Int(endBuffer.base[columns.upperBound &- 1]))
    }
}
