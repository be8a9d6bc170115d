/// The blurred background of a frame, interpolated from a coarse grid row by row.
///
/// Grid rows are expanded to the frame's width once and kept while frame rows lie between them.
final class BlurredRows: BackgroundRows {
    private let grid = BlurGrid()
    private let taps = Triple { ScratchBuffer<Tap>() }
    private let expanded = (ScratchBuffer<Float>(), ScratchBuffer<Float>())
    private var expandedRows = (ExpandedRow.none, ExpandedRow.none)
    private let output = ScratchBuffer<UInt8>()
    private var layout = PixelFormat.gray8.layout
    private var byteCounts = (0, 0, 0)
    private var geometry: Geometry?

    private struct Geometry: Equatable {
        let format: PixelFormat
        let width: Int
        let cellSide: Int
    }

    private struct ExpandedRow: Equatable {
        let plane: Int
        let row: Int

        static let none = ExpandedRow(plane: -1, row: -1)
    }

    /// For one byte: the cells' floats to its left and right, and the right one's weight.
    private struct Tap {
        let left: Int32
        let right: Int32
        let fraction: Float
    }

    /// Computes the blur for a frame.
    ///
    /// - Returns: false when the blur is too weak to be seen: the frame is its own background.
    func prepare(_ frame: ImageView, mask: MaskView, radius: Double, scaler: MaskScaler) -> Bool {
        let limited = radius > 0 ? min(radius, Background.maximumBlurRadius) : 0
        guard let scale = BlurScale(sigma: limited * Double(frame.height)) else { return false }
        grid.build(frame, mask: mask, scale: scale, scaler: scaler)
        expandedRows = (.none, .none)
        prepareTaps(frame, cellSide: scale.cellSide)
        return true
    }

    private func prepareTaps(_ frame: ImageView, cellSide: Int) {
        let wanted = Geometry(format: frame.format, width: frame.width, cellSide: cellSide)
        guard geometry != wanted else { return }
        geometry = wanted
        layout = frame.format.layout
        for plane in 0..<layout.planeCount {
            let count = layout.rowBytes(plane: plane, width: frame.width)
            let taps = taps[plane].reserve(count)
            for byte in 0..<count { taps[byte] = tap(byte: byte, plane: plane, cellSide: cellSide) }
            for buffer in [expanded.0, expanded.1] { buffer.reserve(count) }
            output.reserve(count)
        }
        byteCounts = (
            layout.rowBytes(plane: 0, width: frame.width), layout.rowBytes(plane: 1, width: frame.width),
            layout.rowBytes(plane: 2, width: frame.width)
        )
    }

    private func tap(byte: Int, plane: Int, cellSide: Int) -> Tap {
        guard case .color(let component, let sample) = layout.owner(ofByte: byte, plane: plane) else {
            return Tap(left: 3, right: 3, fraction: 0)
        }
        let perCell = cellSide >> layout.component(component).widthShift
        let tap = LinearTap(position: (Double(sample) + 0.5) / Double(perCell) - 0.5, samples: grid.width)
        return Tap(
            left: tap.index * 4 + Int32(component), right: Int32(tap.last * 4 + component),
            fraction: tap.fraction)
    }

    func row(_ row: Int, plane: Int, bytes: Range<Int>) -> UnsafePointer<UInt8> {
        let perCell = grid.cellSide >> layout.heightShift(plane: plane)
        let tap = LinearTap(position: (Double(row) + 0.5) / Double(perCell) - 0.5, samples: grid.height)
        let upper = expandedRow(Int(tap.index), plane: plane)
        let lower = expandedRow(tap.last, plane: plane)
        let (output, fraction) = (output.base, tap.fraction)
        for byte in bytes { output[byte] = roundedByte(upper[byte] + (lower[byte] - upper[byte]) * fraction) }
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

    private func expand(_ row: Int, plane: Int, into bytes: UnsafeMutablePointer<Float>) {
        let taps = taps[plane].base
        let count = plane == 0 ? byteCounts.0 : plane == 1 ? byteCounts.1 : byteCounts.2
        (grid.cells + row * grid.width).withMemoryRebound(to: Float.self, capacity: 4 * grid.width) { cells in
            for i in 0..<count {
                let left = cells[Int(taps[i].left)]
                bytes[i] = left + (cells[Int(taps[i].right)] - left) * taps[i].fraction
            }
        }
    }
}
