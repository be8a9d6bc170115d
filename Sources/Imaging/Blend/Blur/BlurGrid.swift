/// A frame's background, averaged over the cells of a coarse grid and blurred there.
///
/// Pixels count with the weight 1 - mask, so that the subject's colours stay out ("normalised
/// convolution", Knutsson and Westin 1993). All components share one grid; lanes 0...2 of a cell are
/// the components in code values, lane 3 is the weight, and in the end the largest code value, which is
/// what alpha and padding become.
final class BlurGrid<Sample: PixelSample> {
    private let cellBuffer = ScratchBuffer<SIMD4<Float>>()
    private let sums = ScratchBuffer<UInt32>()
    private let weightSums = ScratchBuffer<UInt32>()
    private let boxes = BoxBlur<SIMD4<Float>>()
    private(set) var width = 0
    private(set) var height = 0
    private(set) var cellSide = 2

    /// The blurred cells, row by row.
    var cells: UnsafePointer<SIMD4<Float>> { UnsafePointer(cellBuffer.base) }

    /// Computes the blurred background of `frame`, or of all of it without a mask; `scaler` has begun with both.
    func build(_ frame: ImageView, mask: MaskView?, scale: BlurScale, scaler: AlphaSampler?) {
        cellSide = scale.cellSide
        width = (frame.width + cellSide - 1) / cellSide
        height = (frame.height + cellSide - 1) / cellSide
        let cells = cellBuffer.reserve(width * height)
        cells.update(repeating: SIMD4(), count: width * height)
        for plane in 0..<frame.format.layout.planeCount {
            for row in 0..<height { average(frame, mask, plane: plane, cellRow: row, scaler) }
        }
        weigh(cells)
        let box = BoxWidth(variance: scale.variance)
        boxes.blur(cells, width: width, height: height, across: box, down: box)
        normalise(cells, frame.format.layout)
    }

    private func average(
        _ frame: ImageView, _ mask: MaskView?, plane: Int, cellRow: Int, _ scaler: AlphaSampler?
    ) {
        let layout = frame.format.layout
        let count = layout.rowSamples(plane: plane, width: frame.width)
        let (sums, weightSums) = (sums.reserve(count), weightSums.reserve(count))
        sums.update(repeating: 0, count: count)
        weightSums.update(repeating: 0, count: count)
        let rowsPerCell = cellSide >> layout.heightShift(plane: plane)
        let first = cellRow * rowsPerCell
        let end = min(first + rowsPerCell, layout.rows(plane: plane, height: frame.height))
        for row in first..<max(first, end) {
            let samples: UnsafePointer<Sample> = frame.plane(plane).samples(row)
            if let mask, let scaler {
                scaler.selectRow(row, plane: plane, of: frame, mask: mask)
                Self.accumulate(
                    samples, alpha: scaler.alphaRow(), count: count, sums: sums, weightSums: weightSums)
            } else {
                Self.accumulate(samples, count: count, sums: sums, weightSums: weightSums)
            }
        }
        for index in 0..<layout.colorCount where layout.component(index).plane == plane {
            let part = layout.component(index)
            store(part, index: index, samples: part.sampleWidth(frame.width), cellRow: cellRow)
        }
    }

    /// Weights run from 256 (background) down to 1, never 0: where there is no background at all
    /// nearby, the subject's own colours are the best guess.
    private static func accumulate(
        _ row: UnsafePointer<Sample>, alpha: UnsafePointer<UInt16>, count: Int,
        sums: UnsafeMutablePointer<UInt32>, weightSums: UnsafeMutablePointer<UInt32>
    ) {
        for i in 0..<count {
            let weight = 256 &- (alpha[i] >> 8)
            sums[i] &+= row[i].times(weight)
            weightSums[i] &+= UInt32(weight)
        }
    }

    private static func accumulate(
        _ row: UnsafePointer<Sample>, count: Int, sums: UnsafeMutablePointer<UInt32>,
        weightSums: UnsafeMutablePointer<UInt32>
    ) {
        for i in 0..<count {
            sums[i] &+= row[i].times(256)
            weightSums[i] &+= 256
        }
    }

    /// Averages one component over the cells of a row; the first component also gives the weights.
    private func store(_ part: ComponentLayout, index: Int, samples: Int, cellRow: Int) {
        let perCell = cellSide >> part.widthShift
        let fullWeight = Float(256 * perCell * (cellSide >> part.heightShift))
        let (sums, weightSums) = (sums.base + part.first, weightSums.base + part.first)
        let first = cellBuffer.base + cellRow * width
        // Lane by lane: a vector whose lane number is not constant goes through memory.
        first.withMemoryRebound(to: Float.self, capacity: 4 * width) { lanes in
            var next = 0
            for cell in 0..<width {
                var (sum, weight): (UInt32, UInt32) = (0, 0)
                for _ in 0..<max(0, min(perCell, samples &- cell &* perCell)) {
                    sum &+= sums[next]
                    weight &+= weightSums[next]
                    next &+= part.step
                }
                lanes[4 &* cell &+ index] = Float(sum) / Float(max(weight, 1))
                if index == 0 { lanes[4 &* cell &+ 3] = Float(weight) / fullWeight }
            }
        }
    }

    private func weigh(_ cells: UnsafeMutablePointer<SIMD4<Float>>) {
        for i in 0..<(width * height) {
            let weight = cells[i].w
            cells[i] *= weight
            cells[i].w = weight
        }
    }

    private func normalise(_ cells: UnsafeMutablePointer<SIMD4<Float>>, _ layout: PixelLayout) {
        let (unit, maximum) = (1 / Float(1 << layout.shift), Float(layout.maximum))
        for i in 0..<(width * height) {
            let value = cells[i] * (unit / max(cells[i].w, .leastNormalMagnitude))
            // Written with masks: `clamped` compares lane by lane.
            cells[i] = value.replacing(with: 0, where: value .< 0)
                .replacing(with: maximum, where: value .> maximum)
            cells[i].w = maximum
        }
    }
}

/// How coarse the grid is that a blur is computed on.
///
/// Cells are as large as the blur allows, so that a weak blur costs little more than a strong one, and hold
/// whole chroma samples.
struct BlurScale: Equatable {
    /// Side of a cell in pixels.
    let cellSide: Int
    /// Variance of the blur that remains to be done on the grid, in cells squared.
    let variance: Double

    /// - Parameters:
    ///   - sigma: standard deviation of the whole blur in pixels.
    ///   - unit: pixels that share a chroma sample at most; cells are made of whole ones.
    /// - Returns: nil when the blur is too weak to be seen.
    init?(sigma: Double, unit: Int) {
        guard sigma >= 0.5 else { return nil }
        let units = Int(sigma / (Double(unit) * Self.cellsPerSigma))
        cellSide = unit * max(1, min(units, Self.largestSide / unit))
        let sigmaInCells = sigma / Double(cellSide)
        // Averaging a cell has the variance 1/12, the spline between cells 1/4.
        variance = max(0, sigmaInCells * sigmaInCells - 1.0 / 3)
    }

    /// Fewer cells per standard deviation would make an edge's blur depend on where in a cell it lies.
    private static let cellsPerSigma = 0.9
    /// Coarser cells would save nothing: reading the frame costs more than the blur then.
    private static let largestSide = 8
}
