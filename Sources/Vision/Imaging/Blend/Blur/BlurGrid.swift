import CKernels

/// A frame's background, averaged over the cells of a coarse grid and blurred there.
///
/// Pixels count with the weight 1 - mask, so that the subject's colours stay out ("normalised
/// convolution", Knutsson and Westin 1993). All components share one grid, in code values.
final class BlurGrid<Sample: PixelSample> {
    private let components = Quad { ScratchBuffer<Float>() }
    /// The share of background in each cell.
    private let shares = ScratchBuffer<Float>()
    private let sums = ScratchBuffer<UInt32>()
    private let weights = ScratchBuffer<UInt32>()
    private let cellSums = ScratchBuffer<UInt32>()
    private let cellWeights = ScratchBuffer<UInt32>()
    private let boxes = BoxBlur()
    private(set) var width = 0
    private(set) var height = 0
    private(set) var cellSide = 2

    /// Returns the blurred cells of a component, row by row.
    func component(_ index: Int) -> UnsafePointer<Float> { UnsafePointer(components[index].base) }

    /// The share of background in each cell, row by row, blurred as the components are.
    var coverage: UnsafePointer<Float> { UnsafePointer(shares.base) }

    /// Computes the blurred background of `frame`, or the whole frame blurred without a mask; `scaler` has
    /// begun with both.
    func build(_ frame: ImageView, mask: MaskView?, scale: BlurScale, scaler: AlphaSampler?) {
        cellSide = scale.cellSide
        width = (frame.width + cellSide - 1) / cellSide
        height = (frame.height + cellSide - 1) / cellSide
        let layout = frame.format.layout
        shares.reserve(width * height)
        cellSums.reserve(width)
        cellWeights.reserve(width)
        for index in 0..<layout.colorCount { components[index].reserve(width * height) }
        for plane in 0..<layout.planeCount {
            for row in 0..<height { average(frame, mask, plane: plane, cellRow: row, scaler) }
        }
        let box = BoxWidth(variance: scale.variance)
        boxes.blur(shares.base, width: width, height: height, across: box, down: box)
        for index in 0..<layout.colorCount {
            let values = components[index].base
            boxes.blur(values, width: width, height: height, across: box, down: box)
            kernel_normalise_cells(
                values, shares.base, 1 / Float(1 << layout.shift), Float(layout.maximum), width * height)
        }
    }

    private func average(
        _ frame: ImageView, _ mask: MaskView?, plane: Int, cellRow: Int, _ scaler: AlphaSampler?
    ) {
        let layout = frame.format.layout
        let count = layout.rowSamples(plane: plane, width: frame.width)
        sums.reserve(count).update(repeating: 0, count: count)
        weights.reserve(count).update(repeating: 0, count: count)
        let rowsPerCell = cellSide >> layout.heightShift(plane: plane)
        let first = cellRow * rowsPerCell
        let end = min(first + rowsPerCell, layout.rows(plane: plane, height: frame.height))
        if let mask, let scaler {
            var row = first
            while row < end {
                let next = scaler.endOfRowsLike(row, plane: plane, of: frame, mask: mask, end: end)
                add(row..<next, frame, mask, plane: plane, scaler)
                row = next
            }
        } else if first < end {
            add(first..<end, 0..<count, of: frame.plane(plane), weight: Self.fullWeight)
        }
        for index in 0..<layout.colorCount where layout.component(index).plane == plane {
            let part = layout.component(index)
            store(part, index: index, samples: part.sampleWidth(frame.width), cellRow: cellRow)
        }
    }

    /// The weight of background.
    ///
    /// The subject's weight is 1, never 0: where there is no background nearby, its own colours are the best
    /// guess.
    private static var fullWeight: Int { 256 }
    /// Number of rows that a kernel sums in one pass.
    private static var rowsAtOnce: Int { 8 }

    /// Adds rows between the same two rows of the mask.
    private func add(
        _ rows: Range<Int>, _ frame: ImageView, _ mask: MaskView, plane: Int, _ scaler: AlphaSampler
    ) {
        scaler.selectRow(rows.lowerBound, plane: plane, of: frame, mask: mask)
        for run in scaler.runs where run.kind != .soft {
            let weight = run.kind == .background ? Self.fullWeight : 1
            add(rows, run.samples, of: frame.plane(plane), weight: weight)
        }
        for row in rows {
            scaler.selectRow(row, plane: plane, of: frame, mask: mask)
            let samples: UnsafePointer<Sample> = frame.plane(plane).samples(row)
            for run in scaler.runs where run.kind == .soft {
                let (first, alpha) = (run.samples.lowerBound, scaler.alpha(run.samples))
                Sample.sumBackground(
                    samples + first, alpha: alpha + first, sums: sums.base + first,
                    weights: weights.base + first, count: run.samples.count)
            }
        }
    }

    /// Adds samples of one weight.
    private func add(_ rows: Range<Int>, _ samples: Range<Int>, of plane: Plane, weight: Int) {
        let (first, count) = (samples.lowerBound, samples.count)
        for row in stride(from: rows.lowerBound, to: rows.upperBound, by: Self.rowsAtOnce) {
            Sample.sumRows(
                plane.samples(row) + first, stride: plane.stride / MemoryLayout<Sample>.stride,
                rows: min(Self.rowsAtOnce, rows.upperBound - row), weight: weight, sums: sums.base + first,
                count: count)
        }
        kernel_add_u32(weights.base + first, UInt32(truncatingIfNeeded: weight &* rows.count), count)
    }

    /// Averages one component over the cells of a row, times the cells' share, which the first component
    /// determines.
    private func store(_ part: ComponentLayout, index: Int, samples: Int, cellRow: Int) {
        let perCell = cellSide >> part.widthShift
        let (shares, cells) = (shares.base + cellRow * width, components[index].base + cellRow * width)
        kernel_sum_cells(sums.base + part.first, part.step, perCell, samples, cellSums.base, width)
        kernel_sum_cells(weights.base + part.first, part.step, perCell, samples, cellWeights.base, width)
        if index == 0 {
            let fullWeight = Float(Self.fullWeight * perCell * (cellSide >> part.heightShift))
            kernel_share_cells(cellWeights.base, fullWeight, shares, width)
        }
        kernel_weigh_cells(cellSums.base, cellWeights.base, shares, cells, width)
    }
}

/// The coarseness of the grid on which a blur is computed.
///
/// Cells are as large as the blur allows, so that a weak blur costs little more than a strong one. A cell
/// contains whole chroma samples.
struct BlurScale: Equatable {
    /// Side of a cell in pixels.
    let cellSide: Int
    /// Variance of the blur that the grid still needs, in cells squared.
    let variance: Double

    /// Chooses a grid for a blur.
    ///
    /// - Parameters:
    ///   - sigma: standard deviation of the whole blur in pixels.
    ///   - unit: maximum number of pixels that share a chroma sample; cells consist of whole units.
    ///   - largestSide: maximum side of a cell in pixels, up to 16.
    /// - Returns: nil when the blur is too weak to be seen.
    init?(sigma: Double, unit: Int, largestSide: Int) {
        guard sigma >= 0.5 else { return nil }
        let units = Int(sigma / (Double(unit) * Self.cellsPerSigma))
        cellSide = unit * max(1, min(units, largestSide / unit))
        let sigmaInCells = sigma / Double(cellSide)
        // Averaging a cell has the variance 1/12, the spline between cells 1/4.
        variance = max(0, sigmaInCells * sigmaInCells - 1.0 / 3)
    }

    /// Creates a grid without any blur.
    ///
    /// - Parameter cellSide: side of a cell in pixels, a multiple of the pixels that share a chroma sample; up to
    ///   16.
    init(cellSide: Int) { (self.cellSide, variance) = (cellSide, 0) }

    /// Minimum number of cells per standard deviation; with fewer, an edge's blur would depend on its place
    /// in a cell.
    private static let cellsPerSigma = 0.9
}
