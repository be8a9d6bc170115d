/// A blurred background, interpolated from a coarse grid row by row.
///
/// Grid rows are expanded to the frame's width once and kept while frame rows lie between them.
final class BlurredRows<Sample: PixelSample>: BackgroundRows {
    private let grid = BlurGrid<Sample>()
    private let taps = Quad { ScratchBuffer<Tap>() }
    private let counts = Quad { Count() }
    private let expanded = (ScratchBuffer<Float>(), ScratchBuffer<Float>())
    private var expandedRows = (ExpandedRow.none, ExpandedRow.none)
    private let output = ScratchBuffer<Sample>()
    private var layout = PixelFormat.gray8.layout
    private var colorimetry = Colorimetry()
    private var geometry: Geometry?

    private final class Count { var value = 0 }

    private struct Geometry: Equatable {
        let format: PixelFormat
        let width: Int
        let cellSide: Int
    }

    private struct ExpandedRow: Equatable {
        let plane: Int
        let row: Int

        static var none: ExpandedRow { ExpandedRow(plane: -1, row: -1) }
    }

    /// For one sample: the cells' floats to its left and right, and the right one's weight.
    private struct Tap {
        let left: Int32
        let right: Int32
        let fraction: Float
    }

    /// Computes the blur of a frame's background, or of all of it without a mask.
    ///
    /// - Parameter scaler: has begun with the frame and the mask.
    /// - Returns: false when the blur is too weak to be seen.
    func prepare(
        _ frame: ImageView, mask: MaskView?, _ blur: Blur, scaler: MaskScaler<Sample>,
        weighting: BlurGrid<Sample>.Weighting = .plain
    ) -> Bool {
        let radius = blur.radius > 0 ? min(blur.radius, Blur.maximumRadius) : 0
        let layout = frame.format.layout
        let unit = 1 << max(1, layout.components.1.widthShift)
        guard let scale = BlurScale(sigma: radius * Double(frame.height), unit: unit) else { return false }
        grid.build(frame, mask: mask, scale: scale, scaler: scaler, weighting: weighting)
        colorimetry = frame.colorimetry
        expandedRows = (.none, .none)
        prepareTaps(frame, cellSide: scale.cellSide)
        return true
    }

    /// The luma, from 0 to 1, at a place in the frame's unit square.
    func brightness(_ x: Float, _ y: Float) -> Float {
        let column = min(Int(x * Float(grid.width)), grid.width - 1)
        let row = min(Int(y * Float(grid.height)), grid.height - 1)
        let cell = grid.cells[row * grid.width + column] * Float(1 << layout.shift)
        return ColorMatrix(layout, colorimetry).luma(SIMD3(cell.x, cell.y, cell.z), colorimetry.matrix)
    }

    private func prepareTaps(_ frame: ImageView, cellSide: Int) {
        let wanted = Geometry(format: frame.format, width: frame.width, cellSide: cellSide)
        guard geometry != wanted else { return }
        geometry = wanted
        layout = frame.format.layout
        for plane in 0..<layout.planeCount {
            let count = layout.rowSamples(plane: plane, width: frame.width)
            let taps = taps[plane].reserve(count)
            for index in 0..<count { taps[index] = tap(sample: index, plane: plane, cellSide: cellSide) }
            for buffer in [expanded.0, expanded.1] { buffer.reserve(count) }
            output.reserve(count)
            counts[plane].value = count
        }
    }

    private func tap(sample index: Int, plane: Int, cellSide: Int) -> Tap {
        guard case .part(let part, let sample) = layout.owner(ofSample: index, plane: plane),
            part < layout.colorCount
        else { return Tap(left: 3, right: 3, fraction: 0) }
        let perCell = cellSide >> layout.part(part).widthShift
        let tap = LinearTap(position: (Double(sample) + 0.5) / Double(perCell) - 0.5, samples: grid.width)
        return Tap(
            left: tap.index * 4 + Int32(part), right: Int32(tap.last * 4 + part), fraction: tap.fraction)
    }

    func row(_ row: Int, plane: Int, samples: Range<Int>) -> UnsafePointer<Sample> {
        let perCell = grid.cellSide >> layout.heightShift(plane: plane)
        let tap = LinearTap(position: (Double(row) + 0.5) / Double(perCell) - 0.5, samples: grid.height)
        let upper = expandedRow(Int(tap.index), plane: plane)
        let lower = expandedRow(tap.last, plane: plane)
        let (output, fraction) = (output.base, tap.fraction)
        for i in samples { output[i] = .rounded(upper[i] + (lower[i] - upper[i]) * fraction) }
        if layout.shift > 0 {
            for i in samples { output[i] &<<= Sample(truncatingIfNeeded: layout.shift) }
        }
        return UnsafePointer(output)
    }

    /// Neighbouring grid rows differ in parity, so that two buffers hold the two rows in use.
    private func expandedRow(_ row: Int, plane: Int) -> UnsafePointer<Float> {
        let wanted = ExpandedRow(plane: plane, row: row)
        let isOdd = row & 1 == 1
        let buffer = isOdd ? expanded.1.base : expanded.0.base
        if (isOdd ? expandedRows.1 : expandedRows.0) != wanted {
            expand(row, plane: plane, into: buffer)
            if isOdd { expandedRows.1 = wanted } else { expandedRows.0 = wanted }
        }
        return UnsafePointer(buffer)
    }

    private func expand(_ row: Int, plane: Int, into samples: UnsafeMutablePointer<Float>) {
        let (taps, count) = (taps[plane].base, counts[plane].value)
        (grid.cells + row * grid.width).withMemoryRebound(to: Float.self, capacity: 4 * grid.width) { cells in
            for i in 0..<count {
                let left = cells[Int(taps[i].left)]
                samples[i] = left + (cells[Int(taps[i].right)] - left) * taps[i].fraction
            }
        }
    }
}
