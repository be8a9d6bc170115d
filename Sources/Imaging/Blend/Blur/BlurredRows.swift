/// A blurred picture, interpolated from a coarse grid row by row.
///
/// Grid rows are expanded to the frame's width once and kept while frame rows lie between them.
final class BlurredRows<Sample: PixelSample> {
    private let grid = BlurGrid<Sample>()
    private let taps = Quad { ScratchBuffer<Tap>() }
    private let counts = Quad { Count() }
    private let padded = ScratchBuffer<SIMD4<Float>>()
    private let expanded = Quad { ScratchBuffer<Float>() }
    private var expandedRows = (ExpandedRow.none, ExpandedRow.none, ExpandedRow.none)
    private let output = ScratchBuffer<Sample>()
    private var layout = PixelFormat.gray8.layout
    private var colorimetry = Colorimetry()
    private var geometry: Geometry?
    private var content: Content?

    private final class Count { var value = 0 }

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

    private struct ExpandedRow: Equatable {
        let plane: Int
        let row: Int

        static var none: ExpandedRow { ExpandedRow(plane: -1, row: -1) }
    }

    /// For one sample: the middle one of three cells' floats, and its neighbours' weights.
    private struct Tap {
        let middle: Int32
        let left: Float
        let right: Float
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
        expandedRows = (.none, .none, .none)
        prepareTaps(picture, cellSide: scale.cellSide)
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

    private func prepareTaps(_ frame: ImageView, cellSide: Int) {
        let wanted = Geometry(format: frame.format, width: frame.width, cellSide: cellSide)
        guard geometry != wanted else { return }
        geometry = wanted
        layout = frame.format.layout
        for plane in 0..<layout.planeCount {
            let count = layout.rowSamples(plane: plane, width: frame.width)
            let taps = taps[plane].reserve(count)
            for index in 0..<count { taps[index] = tap(sample: index, plane: plane, cellSide: cellSide) }
            for buffer in 0..<3 { expanded[buffer].reserve(count) }
            output.reserve(count)
            counts[plane].value = count
        }
    }

    private func tap(sample index: Int, plane: Int, cellSide: Int) -> Tap {
        guard case .part(let part, let sample) = layout.owner(ofSample: index, plane: plane),
            part < layout.colorCount
        else { return Tap(middle: 4 + 3, left: 0, right: 0) }
        let perCell = cellSide >> layout.part(part).widthShift
        let tap = SplineTap(position: (Double(sample) + 0.5) / Double(perCell) - 0.5, samples: grid.width)
        // Rows are padded by a cell on each side.
        return Tap(middle: tap.index * 4 + 4 + Int32(part), left: tap.left, right: tap.right)
    }

    /// The samples of a row, indexed like the frame's; only `samples` are valid.
    ///
    /// Rows of a plane are asked for in ascending order, so that each grid row is expanded once.
    func row(_ row: Int, plane: Int, samples: Range<Int>) -> UnsafePointer<Sample> {
        let perCell = grid.cellSide >> layout.heightShift(plane: plane)
        let tap = SplineTap(position: (Double(row) + 0.5) / Double(perCell) - 0.5, samples: grid.height)
        let middle = Int(tap.index)
        let (a, b, c) = (
            expandedRow(max(middle - 1, 0), plane: plane), expandedRow(middle, plane: plane),
            expandedRow(min(middle + 1, grid.height - 1), plane: plane)
        )
        let (output, weights) = (output.base, (tap.left, tap.middle, tap.right))
        for i in samples {
            output[i] = .rounded(a[i] * weights.0 + b[i] * weights.1 + c[i] * weights.2)
        }
        if layout.shift > 0 {
            for i in samples { output[i] &<<= Sample(truncatingIfNeeded: layout.shift) }
        }
        return UnsafePointer(output)
    }

    /// Three grid rows in a row differ modulo three, so that three buffers hold those in use.
    private func expandedRow(_ row: Int, plane: Int) -> UnsafePointer<Float> {
        let wanted = ExpandedRow(plane: plane, row: row)
        let buffer = expanded[row % 3].base
        switch row % 3 {
        case 0:
            if expandedRows.0 != wanted { expand(row, plane: plane, into: buffer) }
            expandedRows.0 = wanted
        case 1:
            if expandedRows.1 != wanted { expand(row, plane: plane, into: buffer) }
            expandedRows.1 = wanted
        default:
            if expandedRows.2 != wanted { expand(row, plane: plane, into: buffer) }
            expandedRows.2 = wanted
        }
        return UnsafePointer(buffer)
    }

    private func expand(_ row: Int, plane: Int, into samples: UnsafeMutablePointer<Float>) {
        let (taps, count, width) = (taps[plane].base, counts[plane].value, grid.width)
        let (cells, padded) = (grid.cells + row * width, padded.reserve(width + 2))
        padded[0] = cells[0]
        (padded + 1).update(from: cells, count: width)
        padded[width + 1] = cells[width - 1]
        padded.withMemoryRebound(to: Float.self, capacity: 4 * (width + 2)) { cells in
            for i in 0..<count {
                let tap = taps[i]
                let cell = cells + Int(tap.middle)
                samples[i] = cell[0] + (cell[-4] - cell[0]) * tap.left + (cell[4] - cell[0]) * tap.right
            }
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
