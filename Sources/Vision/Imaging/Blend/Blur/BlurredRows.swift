import CKernels

/// A blurred picture, interpolated from a coarse grid row by row.
///
/// Rows of the grid are interpolated along the row once, and down the columns for the requested samples.
final class BlurredRows<Sample: PixelSample> {
    private let grid = BlurGrid<Sample>()
    private let planes = Quad { CellPattern() }
    /// One row of cells per component, and one for alpha and padding, with a cell more at either end.
    private let cells = Quad { ScratchBuffer<Float>() }
    /// Weights of either neighbour in a cell's middle.
    private let middles = ScratchBuffer<Float>()
    private let interleaved = ScratchBuffer<Float>()
    /// Rows of the grid with a value for each sample, each at its number modulo 4.
    private let expanded = Quad { ScratchBuffer<Float>() }
    private let expandedRows = ScratchBuffer<ExpandedRow>()
    private let output = ScratchBuffer<Sample>()
    /// The rows of the grid around the current row, and their weights.
    private var (rows, weights): (SplineRows?, SplineWeights) = (nil, SplineWeights(distance: 0))
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

    private struct ExpandedRow: Equatable, BitwiseCopyable {
        let row: Int
        let plane: Int

        static var none: ExpandedRow { ExpandedRow(row: -1, plane: -1) }
    }

    /// The work that `prepare` did.
    enum Preparation {
        /// None: the blur is too weak to be seen.
        case none
        /// None: the picture and its blur have not changed.
        case kept
        /// The whole blur was computed.
        case computed
    }

    /// Computes the blur of a picture.
    ///
    /// - Parameters:
    ///   - mask: leaves its subject out; `scaler` has begun with the picture and the mask.
    ///   - revision: revision of a still picture, which is blurred once; see `BackgroundSource.picture`.
    ///   - largestCell: maximum side of the grid's cells in pixels, up to 16. For a visible blur, cells of
    ///     more than 8 would save little: reading the frame then costs more.
    func prepare(
        _ picture: ImageView, _ blur: Blur, without mask: MaskView? = nil, _ scaler: AlphaSampler? = nil,
        revision: UInt64? = nil, largestCell: Int = 8
    ) -> Preparation {
        let wanted = revision.map {
            Content(
                revision: $0, radius: blur.radius, format: picture.format, width: picture.width,
                height: picture.height, colorimetry: picture.colorimetry)
        }
        if let wanted, wanted == content { return .kept }
        content = nil
        let radius = blur.radius > 0 ? min(blur.radius, Blur.maximumRadius) : 0
        let sigma = max(radius * Double(picture.height), blur.minimumPixels)
        let unit = 1 << max(1, picture.format.layout.components.1.widthShift)
        guard
            let scale = BlurScale(
                sigma: sigma, unit: unit, largestSide: largestCell)
        else { return .none }
        grid.build(picture, mask: mask, scale: scale, scaler: scaler)
        colorimetry = picture.colorimetry
        preparePatterns(picture, cellSide: scale.cellSide)
        expandedRows.reserve(4).update(repeating: .none, count: 4)
        rows = nil
        content = wanted
        return .computed
    }

    /// Returns the luma, from 0 to 1, at a place in the frame's unit square.
    func brightness(_ x: Float, _ y: Float) -> Float {
        let column = min(Int(x * Float(grid.width)), grid.width - 1)
        let row = min(Int(y * Float(grid.height)), grid.height - 1)
        let (cell, unit) = (row * grid.width + column, Float(1 << layout.shift))
        // Grey has one component.
        let value = { (index: Int) in self.grid.component(min(index, self.layout.colorCount - 1))[cell] * unit
        }
        let cellColor = SIMD3(value(0), value(1), value(2))
        return ColorMatrix(layout, colorimetry).luma(cellColor, colorimetry.matrix)
    }

    private func preparePatterns(_ frame: ImageView, cellSide: Int) {
        let wanted = Geometry(format: frame.format, width: frame.width, cellSide: cellSide)
        guard geometry != wanted else { return }
        geometry = wanted
        layout = frame.format.layout
        for plane in 0..<layout.planeCount {
            planes[plane].build(layout, plane: plane, cellSide: cellSide) { distance in
                let weights = SplineWeights(distance: Float(distance))
                return (weights.above, weights.below)
            }
        }
        middles.reserve(4 * cellSide)
            .update(repeating: SplineWeights(distance: 0).above, count: 4 * cellSide)
        let longest = (0..<layout.planeCount).reduce(0) { max($0, planes[$1].samplesPerCell) }
        for index in 0..<4 { expanded[index].reserve(grid.width * longest) }
        output.reserve(grid.width * longest)
        let count = grid.width + 2
        for part in 0..<4 {
            cells[part].reserve(count).update(repeating: Float(layout.maximum), count: count)
        }
        interleaved.reserve(4 * count)
    }

    /// Selects a row of a plane as the current one.
    func selectRow(_ row: Int, plane: Int) {
        let perCell = grid.cellSide >> layout.heightShift(plane: plane)
        let tap = SplineTap(row, perCell: perCell, cells: grid.height)
        weights = tap.weights
        rows = SplineRows(
            above: expandedRow(max(tap.index - 1, 0), plane), middle: expandedRow(tap.index, plane),
            below: expandedRow(min(tap.index + 1, grid.height - 1), plane))
    }

    /// Returns samples of the current row, indexed like the frame's; only `samples` are valid.
    func row(_ samples: Range<Int>) -> UnsafePointer<Sample> {
        write(samples, into: output.base)
        return UnsafePointer(output.base)
    }

    /// Writes samples of the current row, indexed like the frame's, to their places in `output`.
    func write(_ samples: Range<Int>, into output: UnsafeMutablePointer<Sample>) {
        guard let rows else { return }
        let first = samples.lowerBound
        Sample.mix(rows + first, weights, into: output + first, count: samples.count, shift: layout.shift)
    }

    /// Returns a row of the grid, with a value for each sample of a plane.
    private func expandedRow(_ row: Int, _ plane: Int) -> UnsafePointer<Float> {
        let (index, wanted) = (row & 3, ExpandedRow(row: row, plane: plane))
        let values = expanded[index].base
        if expandedRows.base[index] != wanted {
            expandedRows.base[index] = wanted
            expand(row, planes[plane], into: values)
        }
        return UnsafePointer(values)
    }

    private func expand(_ row: Int, _ pattern: CellPattern, into values: UnsafeMutablePointer<Float>) {
        let (cells, period, size) = (interleave(row, pattern), pattern.period, pattern.samplesPerCell)
        let count = grid.width * size
        kernel_expand_cells(cells, period, size, pattern.lefts, pattern.rights, 0, count, values)
        // Before the middle of the first cell and behind that of the last, weights are those of the middle.
        let (start, end) = (size / 2, count - size / 2)
        kernel_expand_cells(cells, period, size, middles.base, middles.base, 0, start, values)
        kernel_expand_cells(cells, period, size, middles.base, middles.base, end, count, values)
    }

    /// Returns the cells of a row in the order of a plane's samples, with one more before and behind them.
    private func interleave(_ row: Int, _ pattern: CellPattern) -> UnsafePointer<Float> {
        let (width, period) = (grid.width, pattern.period)
        for index in 0..<period where pattern.component(index) < layout.colorCount {
            let part = pattern.component(index)
            let copy = cells[part].base
            (copy + 1).update(from: grid.component(part) + row * width, count: width)
            (copy[0], copy[width + 1]) = (copy[1], copy[width])
        }
        let part = { (index: Int) in UnsafePointer(self.cells[pattern.component(index)].base) }
        guard period > 1 else { return part(0) + 1 }
        kernel_interleave(part(0), part(1), part(2), part(3), period, interleaved.base, width + 2)
        return UnsafePointer(interleaved.base + period)
    }
}

/// The samples of a plane's row in one cell of a grid: the component of each, and the weights of the
/// neighbouring cells.
package final class CellPattern {
    /// Number of samples after which components repeat.
    private(set) var period = 1
    private(set) var samplesPerCell = 1
    private let componentBuffer = ScratchBuffer<Int32>()
    private let leftBuffer = ScratchBuffer<Float>()
    private let rightBuffer = ScratchBuffer<Float>()
    private let shareBuffer = ScratchBuffer<Float>()

    /// The component number of alpha and padding.
    static let noComponent = 3

    /// Weights of the left neighbour for each sample of a cell.
    var lefts: UnsafePointer<Float> { UnsafePointer(leftBuffer.base) }
    /// Weights of the right neighbour for each sample of a cell.
    var rights: UnsafePointer<Float> { UnsafePointer(rightBuffer.base) }
    /// The kind of each sample of a cell: 1 for colours, and 0 for alpha and padding.
    var shares: UnsafePointer<Float> { UnsafePointer(shareBuffer.base) }

    /// Returns the component of a sample of a period, or `noComponent`; 0...3.
    func component(_ index: Int) -> Int { Int(componentBuffer.base[index]) }

    /// Computes the pattern.
    ///
    /// - Parameter weights: weights of the left and the right neighbour at a distance from a cell's middle,
    ///   in cells.
    func build(
        _ layout: PixelLayout, plane: Int, cellSide: Int,
        weights: (_ distance: Double) -> (left: Float, right: Float)
    ) {
        (period, samplesPerCell) = (layout.period(plane: plane), cellSide)
        for index in 0..<layout.partCount where layout.part(index).plane == plane {
            samplesPerCell = (cellSide >> layout.part(index).widthShift) * layout.part(index).step
        }
        componentBuffer.reserve(4).update(repeating: Int32(Self.noComponent), count: 4)
        for buffer in [leftBuffer, rightBuffer, shareBuffer] {
            buffer.reserve(samplesPerCell).update(repeating: 0, count: samplesPerCell)
        }
        for index in 0..<samplesPerCell {
            guard case .part(let part, let sample) = layout.owner(ofSample: index, plane: plane),
                part < layout.colorCount
            else { continue }
            if index < period { componentBuffer.base[index] = Int32(truncatingIfNeeded: part) }
            let perCell = cellSide >> layout.part(part).widthShift
            let neighbours = weights((Double(sample) + 0.5) / Double(perCell) - 0.5)
            (leftBuffer.base[index], rightBuffer.base[index]) = (neighbours.left, neighbours.right)
            shareBuffer.base[index] = 1
        }
    }
}

/// A position in a quadratic B-spline: three rows of cells, one after the other, and their weights.
///
/// This interpolation is smooth (its slope has no steps), and blurs with a variance of 1/4 cells.
struct SplineTap {
    /// Number of the middle row.
    let index: Int
    let weights: SplineWeights

    /// Creates the tap for the middle of a row of samples.
    ///
    /// - Parameters:
    ///   - perCell: number of rows of samples in a row of cells.
    ///   - cells: number of rows of cells; positions outside of their middles read the outermost.
    init(_ row: Int, perCell: Int, cells: Int) {
        index = min(row / perCell, cells - 1)
        let position = (Float(row) + 0.5) / Float(perCell) - 0.5
        let inside = min(max(position, 0), Float(cells - 1))
        weights = SplineWeights(distance: inside - Float(index))
    }
}

/// Weights of three neighbours in a quadratic B-spline.
package struct SplineWeights: BitwiseCopyable {
    let above: Float
    let below: Float
    var middle: Float { 1 - above - below }

    /// Creates the weights at a distance from the middle of the middle neighbour, -0.5...0.5, in cells.
    init(distance: Float) {
        let (before, behind) = (0.5 - distance, 0.5 + distance)
        (above, below) = (before * before / 2, behind * behind / 2)
    }
}

/// Three rows of values between which a spline interpolates.
package struct SplineRows {
    let above: UnsafePointer<Float>
    let middle: UnsafePointer<Float>
    let below: UnsafePointer<Float>

    /// Returns the values from number `first` on.
    static func + (rows: SplineRows, first: Int) -> SplineRows {
        SplineRows(above: rows.above + first, middle: rows.middle + first, below: rows.below + first)
    }
}
