/// A layer of one colour.
protocol ColorFillLayer<Sample>: BackgroundLayer {
    /// The colour, begun with the frame by the layer's `begin`.
    var fill: ColorFill<Sample> { get }
}

extension ColorFillLayer {
    func selectRow(_ row: Int, plane: Int, of frame: ImageView) {
        fill.selectRow(row, plane: plane, of: frame)
    }

    func apply(to row: inout BackgroundRow<Sample>) {
        if fill.isSeen(in: row.samples) { fill.tint(row.writable(), row.samples) }
    }

    func cover(_ coverage: UnsafeMutablePointer<Sample>, _ samples: Range<Int>) {
        fill.cover(coverage, samples)
    }
}

/// Lays a colour on background rows, weighted by a mask.
final class ColorFill<Sample: PixelSample> {
    private let scaler = AlphaSampler()
    private let color = ColorRows<Sample>()
    private let full = ScratchBuffer<Sample>()
    private var mask: MaskView?
    private var plane = 0
    private var shift = 0

    /// Starts a frame.
    func begin(_ frame: ImageView, _ color: RGBColor, _ mask: MaskView, steepness: Float = 1) {
        self.mask = mask
        scaler.begin(frame, mask: mask, steepness: steepness)
        self.color.prepare(color, for: frame)
        shift = frame.format.layout.shift
        let count = frame.format.layout.longestRow(width: frame.width)
        full.reserve(count).update(repeating: .max, count: count)
    }

    func selectRow(_ row: Int, plane: Int, of frame: ImageView) {
        guard let mask else { return }
        self.plane = plane
        scaler.selectRow(row, plane: plane, of: frame, mask: mask)
    }

    /// Whether any sample of the current row is tinted.
    func isSeen(in samples: Range<Int>) -> Bool {
        scaler.runs.contains { $0.kind != .background && $0.samples.overlaps(samples) }
    }

    /// Tints samples of the current row.
    func tint(_ row: UnsafeMutablePointer<Sample>, _ samples: Range<Int>) {
        lay(color.row(plane: plane), on: row, samples, shift: shift)
    }

    /// Adds the coverage of the current row's samples to `coverage`, from 0 to `max`.
    func cover(_ coverage: UnsafeMutablePointer<Sample>, _ samples: Range<Int>) {
        lay(UnsafePointer(full.base), on: coverage, samples, shift: 0)
    }

    private func lay(
        _ color: UnsafePointer<Sample>, on row: UnsafeMutablePointer<Sample>, _ samples: Range<Int>,
        shift: Int
    ) {
        for run in scaler.runs where run.kind != .background {
            let part = run.samples.clamped(to: samples)
            guard !part.isEmpty else { continue }
            let first = part.lowerBound
            if run.kind == .subject {
                (row + first).update(from: color + first, count: part.count)
            } else {
                let alpha = scaler.alpha(part)
                Sample.tint(
                    row + first, with: color + first, alpha: alpha + first, count: part.count, shift: shift)
            }
        }
    }
}
