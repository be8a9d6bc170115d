import CKernels

/// A blurred picture, interpolated from a coarse grid row by row: down the columns at the grid's width, then along
/// the row for those samples that are wanted.
final class BlurredRows<Sample: PixelSample> {
    private let grid = BlurGrid<Sample>()
    private let planes = Quad { CellPattern() }
    private let mixed = ScratchBuffer<SIMD4<Float>>()
    private let picked = ScratchBuffer<Float>()
    private let output = ScratchBuffer<Sample>()
    private var layout = PixelFormat.gray8.layout
    private var colorimetry = Colorimetry()
    private var geometry: Geometry?
    private var content: Content?

    /// A still picture and its blur.
    private struct Content: Equatable {
        let revision: UInt64
        let radius: Double
        let format: PixelFormat
        let width: Int
        let height: Int
        let colorimetry: Colorimetry
    }

    private struct Geometry: Equatable {
        let format: PixelFormat
        let width: Int
        let cellSide: Int
    }

    /// What `prepare` had to do.
    enum Preparation {
        /// Nothing: the blur is too weak to be seen.
        case none
        /// Nothing: the picture and its blur are those of the last time.
        case kept
        /// All.
        case computed
    }

    /// Computes the blur of a picture.
    ///
    /// - Parameters:
    ///   - mask: leaves its subject out; `scaler` has begun with the picture and the mask.
    ///   - revision: of a still picture, which is blurred once; see `BackgroundSource.picture`.
    func prepare(
        _ picture: ImageView, _ blur: Blur, without mask: MaskView? = nil, _ scaler: AlphaSampler? = nil,
        revision: UInt64? = nil
    ) -> Preparation {
        let wanted = revision.map {
            Content(
                revision: $0, radius: blur.radius, format: picture.format, width: picture.width,
                height: picture.height, colorimetry: picture.colorimetry)
        }
        if let wanted, wanted == content { return .kept }
        content = nil
        let radius = blur.radius > 0 ? min(blur.radius, Blur.maximumRadius) : 0
        let unit = 1 << max(1, picture.format.layout.components.1.widthShift)
        guard let scale = BlurScale(sigma: radius * Double(picture.height), unit: unit) else { return .none }
        grid.build(picture, mask: mask, scale: scale, scaler: scaler)
        colorimetry = picture.colorimetry
        preparePatterns(picture, cellSide: scale.cellSide)
        content = wanted
        return .computed
    }

    /// The luma, from 0 to 1, at a place in the frame's unit square.
    func brightness(_ x: Float, _ y: Float) -> Float {
        let column = min(Int(x * Float(grid.width)), grid.width - 1)
        let row = min(Int(y * Float(grid.height)), grid.height - 1)
        let cell = grid.cells[row * grid.width + column] * Float(1 << layout.shift)
        return ColorMatrix(layout, colorimetry).luma(SIMD3(cell.x, cell.y, cell.z), colorimetry.matrix)
    }

    private func preparePatterns(_ frame: ImageView, cellSide: Int) {
        let wanted = Geometry(format: frame.format, width: frame.width, cellSide: cellSide)
        guard geometry != wanted else { return }
        geometry = wanted
        layout = frame.format.layout
        for plane in 0..<layout.planeCount { planes[plane].build(layout, plane: plane, cellSide: cellSide) }
        output.reserve(layout.longestRow(width: frame.width))
        mixed.reserve(grid.width + 2)
        picked.reserve(4 * (grid.width + 2))
    }

    /// The samples of a row, indexed like the frame's; only `samples` are valid.
    func row(_ row: Int, plane: Int, samples: Range<Int>) -> UnsafePointer<Sample> {
        let pattern = planes[plane]
        let size = pattern.samplesPerCell
        let first = max(0, samples.lowerBound / size - 1)
        let end = min(grid.width, (samples.upperBound + size - 1) / size + 1)
        guard first < end else { return UnsafePointer(output.base) }
        mix(row, plane: plane, cells: first..<end)
        mixed.base.withMemoryRebound(to: Float.self, capacity: 4 * (grid.width + 2)) { mixed in
            kernel_pick_lanes(
                mixed + 4 * first, pattern.lanes, Int32(truncatingIfNeeded: pattern.period),
                picked.base + pattern.period * first, end - first + 2)
        }
        // Outside the middles of the outermost cells their weights stay those of the middle.
        let middles = (size / 2)..<((grid.width - 1) * size + (size + 1) / 2)
        expand(samples.clamped(to: 0..<middles.lowerBound), pattern, pattern.middles, pattern.middles)
        expand(samples.clamped(to: middles), pattern, pattern.lefts, pattern.rights)
        let behind = middles.upperBound..<max(middles.upperBound, samples.upperBound)
        expand(samples.clamped(to: behind), pattern, pattern.middles, pattern.middles)
        return UnsafePointer(output.base)
    }

    /// Mixes three grid rows; in `mixed` there is a cell before the first and behind the last.
    private func mix(_ row: Int, plane: Int, cells: Range<Int>) {
        let perCell = grid.cellSide >> layout.heightShift(plane: plane)
        let tap = SplineTap(position: (Double(row) + 0.5) / Double(perCell) - 0.5, samples: grid.height)
        let (middle, first, mixed) = (Int(tap.index), cells.lowerBound, mixed.base)
        let (lanes, width) = (grid.lanes, grid.width)
        let gridRow = { lanes + 4 * ($0 * width + first) }
        mixed.withMemoryRebound(to: Float.self, capacity: 4 * (grid.width + 2)) { mixed in
            kernel_mix_cells(
                gridRow(max(middle - 1, 0)), gridRow(middle), gridRow(min(middle + 1, grid.height - 1)),
                tap.left, tap.middle, tap.right, mixed + 4 * (first + 1), 4 * cells.count)
        }
        mixed[first] = mixed[first + 1]
        mixed[cells.upperBound + 1] = mixed[cells.upperBound]
    }

    private func expand(
        _ samples: Range<Int>, _ pattern: CellPattern, _ lefts: UnsafePointer<Float>,
        _ rights: UnsafePointer<Float>
    ) {
        guard !samples.isEmpty else { return }
        Sample.expandCells(
            picked.base + pattern.period, period: pattern.period, samplesPerCell: pattern.samplesPerCell,
            lefts: lefts, rights: rights, samples, into: output.base, shift: layout.shift)
    }
}

/// The samples of a plane's row in one cell: which lane each is made of, and how it is interpolated.
private final class CellPattern {
    /// Samples after which components repeat.
    private(set) var period = 1
    private(set) var samplesPerCell = 1
    private let laneBuffer = ScratchBuffer<Int32>()
    private let leftBuffer = ScratchBuffer<Float>()
    private let rightBuffer = ScratchBuffer<Float>()
    private let middleBuffer = ScratchBuffer<Float>()

    /// The lane of each sample of a period; four of them.
    var lanes: UnsafePointer<Int32> { UnsafePointer(laneBuffer.base) }
    /// Weights of the left neighbour for each sample of a cell.
    var lefts: UnsafePointer<Float> { UnsafePointer(leftBuffer.base) }
    /// Weights of the right neighbour.
    var rights: UnsafePointer<Float> { UnsafePointer(rightBuffer.base) }
    /// Weights of either neighbour in a cell's middle.
    var middles: UnsafePointer<Float> { UnsafePointer(middleBuffer.base) }

    func build(_ layout: PixelLayout, plane: Int, cellSide: Int) {
        (period, samplesPerCell) = (1, cellSide)
        for index in 0..<layout.partCount where layout.part(index).plane == plane {
            let part = layout.part(index)
            period = max(period, part.step)
            samplesPerCell = (cellSide >> part.widthShift) * part.step
        }
        laneBuffer.reserve(4).update(repeating: 3, count: 4)
        leftBuffer.reserve(samplesPerCell).update(repeating: 0, count: samplesPerCell)
        rightBuffer.reserve(samplesPerCell).update(repeating: 0, count: samplesPerCell)
        let middle = SplineTap(position: 0, samples: 1)
        middleBuffer.reserve(samplesPerCell).update(repeating: middle.left, count: samplesPerCell)
        for index in 0..<samplesPerCell {
            // Alpha and padding are the same everywhere: lane 3.
            guard case .part(let part, let sample) = layout.owner(ofSample: index, plane: plane),
                part < layout.colorCount
            else { continue }
            if index < period { laneBuffer.base[index] = Int32(truncatingIfNeeded: part) }
            let perCell = cellSide >> layout.part(part).widthShift
            // The second of three cells.
            let tap = SplineTap(position: (Double(sample) + 0.5) / Double(perCell) + 0.5, samples: 3)
            (leftBuffer.base[index], rightBuffer.base[index]) = (tap.left, tap.right)
        }
    }
}

/// Where a position falls in a quadratic B-spline: three samples in a row and their weights.
///
/// Interpolating so is smooth (its slope has no steps), and blurs with a variance of 1/4.
private struct SplineTap {
    /// The middle sample.
    let index: Int32
    /// Weights of its left and right neighbours; the rest is the middle's.
    let left: Float
    let right: Float

    /// The tap for an index position; positions outside read the edge sample.
    init(position: Double, samples: Int) {
        let inside = min(max(position, 0), Double(samples - 1))
        let middle = inside.rounded()
        let distance = inside - middle
        index = Int32(truncatingIfNeeded: Int(middle))
        left = Float((0.5 - distance) * (0.5 - distance) / 2)
        right = Float((0.5 + distance) * (0.5 + distance) / 2)
    }

    var middle: Float { 1 - left - right }
}
