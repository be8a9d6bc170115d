import CKernels

/// A blurred picture, interpolated from a coarse grid row by row.
///
/// It is interpolated down the columns at the grid's width, then along the row for the requested samples.
final class BlurredRows<Sample: PixelSample> {
    private let grid = BlurGrid<Sample>()
    private let planes = Quad { CellPattern() }
    /// One row of cells per component, and one for alpha and padding.
    private let mixed = Quad { ScratchBuffer<Float>() }
    /// Weights of either neighbour in a cell's middle.
    private let middles = ScratchBuffer<Float>()
    private let interleaved = ScratchBuffer<Float>()
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
            planes[plane].build(layout, plane: plane, cellSide: cellSide, weights: SplineTap.neighbours)
        }
        middles.reserve(4 * cellSide)
            .update(repeating: SplineTap.neighbours(distance: 0).left, count: 4 * cellSide)
        let longest = (0..<layout.planeCount).reduce(0) { max($0, planes[$1].samplesPerCell) }
        output.reserve(grid.width * longest)
        let count = grid.width + 2
        for lane in 0..<4 {
            mixed[lane].reserve(count).update(repeating: Float(layout.maximum), count: count)
        }
        interleaved.reserve(4 * count)
    }

    /// Returns the samples of a row, indexed like the frame's; only `samples` are valid.
    func row(_ row: Int, plane: Int, samples: Range<Int>) -> UnsafePointer<Sample> {
        let pattern = planes[plane]
        let size = pattern.samplesPerCell
        let first = max(0, samples.lowerBound / size - 1)
        let end = min(grid.width, (samples.upperBound + size - 1) / size + 1)
        guard first < end else { return UnsafePointer(output.base) }
        for part in 0..<layout.colorCount where layout.component(part).plane == plane {
            mix(row, component: part, cells: first..<end)
        }
        let cells = interleave(pattern, cells: first..<end)
        // Whole cells are processed by vector code.
        let whole = (samples.lowerBound / size * size)..<((samples.upperBound + size - 1) / size * size)
        expand(whole.clamped(to: 0..<(grid.width * size)), cells, pattern, pattern.lefts, pattern.rights)
        // Beyond the middles of the outermost cells, the weights stay those of the middle.
        let inside = (size / 2)..<((grid.width - 1) * size + (size + 1) / 2)
        expand(samples.clamped(to: 0..<inside.lowerBound), cells, pattern, middles.base, middles.base)
        let behind = inside.upperBound..<max(inside.upperBound, samples.upperBound)
        expand(samples.clamped(to: behind), cells, pattern, middles.base, middles.base)
        return UnsafePointer(output.base)
    }

    /// Mixes three grid rows; `mixed` has one more cell before the first and after the last.
    private func mix(_ row: Int, component: Int, cells: Range<Int>) {
        let perCell = grid.cellSide >> layout.component(component).heightShift
        let tap = SplineTap(position: (Double(row) + 0.5) / Double(perCell) - 0.5, samples: grid.height)
        let (middle, first, mixed) = (Int(tap.index), cells.lowerBound, mixed[component].base)
        let (values, width) = (grid.component(component) + first, grid.width)
        kernel_mix_rows(
            values + max(middle - 1, 0) * width, values + middle * width,
            values + min(middle + 1, grid.height - 1) * width, tap.left, tap.middle, tap.right,
            mixed + first + 1, cells.count)
        mixed[first] = mixed[first + 1]
        mixed[cells.upperBound + 1] = mixed[cells.upperBound]
    }

    /// Returns the mixed cells' values in the order of a plane's samples.
    private func interleave(_ pattern: CellPattern, cells: Range<Int>) -> UnsafePointer<Float> {
        let (first, period) = (cells.lowerBound, pattern.period)
        let row = { (index: Int) in
            UnsafePointer(self.mixed[pattern.component(index)].base + first)
        }
        guard period > 1 else { return UnsafePointer(mixed[pattern.component(0)].base + 1) }
        kernel_interleave(
            row(0), row(1), row(2), row(3), period, interleaved.base + period * first, cells.count + 2)
        return UnsafePointer(interleaved.base + period)
    }

    private func expand(
        _ samples: Range<Int>, _ cells: UnsafePointer<Float>, _ pattern: CellPattern,
        _ lefts: UnsafePointer<Float>, _ rights: UnsafePointer<Float>
    ) {
        guard !samples.isEmpty else { return }
        Sample.expandCells(
            cells, pattern, lefts: lefts, rights: rights, samples, into: output.base, shift: layout.shift)
    }
}

/// A position in a quadratic B-spline: three samples in a row and their weights.
///
/// This interpolation is smooth (its slope has no steps), and blurs with a variance of 1/4.
private struct SplineTap {
    /// The index of the middle sample.
    let index: Int32
    /// Weights of the left and right neighbours; the rest is the middle's.
    let left: Float
    let right: Float

    /// Creates the tap for an index position; positions outside read the edge sample.
    init(position: Double, samples: Int) {
        let inside = min(max(position, 0), Double(samples - 1))
        let middle = inside.rounded()
        let distance = inside - middle
        index = Int32(truncatingIfNeeded: Int(middle))
        (left, right) = Self.neighbours(distance: distance)
    }

    /// Returns the weights of the neighbours at a distance from the middle sample, -0.5...0.5.
    static func neighbours(distance: Double) -> (left: Float, right: Float) {
        (Float((0.5 - distance) * (0.5 - distance) / 2), Float((0.5 + distance) * (0.5 + distance) / 2))
    }

    var middle: Float { 1 - left - right }
}
