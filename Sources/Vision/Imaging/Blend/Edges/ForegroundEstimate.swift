/// The subject's own colour at soft pixels, without the old background's.
///
/// Colours of certain subject and certain background around each soft pixel are corrected so that together
/// they produce the observed pixel (Forte 2021, "Approximate fast foreground colour estimation"; here certain
/// pixels count far more than soft ones, instead of a second pass).
final class ForegroundEstimate<Sample: PixelSample> {
    private let colors = EdgeColors<Sample>()
    private let (ownCells, oldCells) = (ScratchBuffer<SIMD4<Float>>(), ScratchBuffer<SIMD4<Float>>())
    private let (own, old) = (ScratchBuffer<Float>(), ScratchBuffer<Float>())
    private let planes = Quad { CellPattern() }
    private var layout = PixelFormat.gray8.layout
    private var geometry: Geometry?

    private struct Geometry: Equatable {
        let format: PixelFormat
        let cellSide: Int
    }

    /// Starts a frame before anything in it is changed; returns false when there is nothing to do in it.
    func begin(_ frame: FrameContext) -> Bool {
        guard let mask = frame.mask else { return false }
        layout = frame.image.format.layout
        colors.build(frame.image, mask, frame.scaler)
        ownCells.reserve(colors.width)
        oldCells.reserve(colors.width)
        own.reserve(4 * (colors.width + 2))
        old.reserve(4 * (colors.width + 2))
        let wanted = Geometry(format: frame.image.format, cellSide: colors.cellSide)
        guard geometry != wanted else { return true }
        geometry = wanted
        for plane in 0..<layout.planeCount {
            planes[plane].build(layout, plane: plane, cellSide: colors.cellSide) { distance in
                (Float(max(0, -distance)), Float(max(0, distance)))
            }
        }
        return true
    }

    /// Replaces soft samples by the subject's own colour.
    func apply(
        to samples: UnsafeMutablePointer<Sample>, _ range: Range<Int>, alpha: UnsafePointer<UInt16>, row: Int,
        plane: Int
    ) {
        let cells = colors.cells(of: range, plane: plane)
        guard colors.mixRow(row, plane: plane, cells, ownCells.base, oldCells.base) else { return }
        let pattern = planes[plane]
        spread(ownCells.base, cells, pattern, into: own.base)
        spread(oldCells.base, cells, pattern, into: old.base)
        let (own, old) = (own.base + pattern.period, old.base + pattern.period)
        Sample.correct(
            samples, alpha: alpha, own: own, old: old, pattern, range, maximum: Float(layout.maximum),
            shift: layout.shift)
    }

    /// Writes the components of `cells` and of the cells beside them in the order of a plane's samples.
    ///
    /// The first and the last cell of a row are repeated outside.
    private func spread(
        _ colors: UnsafePointer<SIMD4<Float>>, _ cells: Range<Int>, _ pattern: CellPattern,
        into values: UnsafeMutablePointer<Float>
    ) {
        let (period, last) = (pattern.period, self.colors.width - 1)
        let lanes = UnsafeRawPointer(colors).assumingMemoryBound(to: Float.self)
        for index in 0..<period {
            let lane = lanes + pattern.component(index)
            for cell in (cells.lowerBound - 1)...cells.upperBound {
                values[(cell + 1) * period + index] = lane[4 * max(0, min(cell, last))]
            }
        }
    }
}

/// The subject's and the background's colours on both sides of the subject's soft edge, on a coarse grid.
///
/// Pixels count by the fourth power of their share, so that certain pixels outweigh soft ones. Only cells
/// near soft pixels are filled, because a frame's edge is a small part of it. Lanes 0...2 of a cell are the
/// components in code values, lane 3 is the weight.
final class EdgeColors<Sample: PixelSample> {
    private let subject = Colors()
    private let surroundings = Colors()
    private let isNeeded = ScratchBuffer<Bool>()
    private let sums = ScratchBuffer<SIMD4<UInt32>>()
    private var layout = PixelFormat.gray8.layout
    private var frameWidth = 0
    private(set) var width = 0
    private(set) var height = 0
    /// Side of a cell in pixels.
    private(set) var cellSide = 2

    /// Number of cells in a frame's height.
    ///
    /// The colours of subject and background change over longer distances, and hair is finer.
    private static var cellsPerHeight: Double { 150 }
    /// Maximum side of a cell; larger cells could overflow their sums.
    private static var largestSide: Int { 32 }
    /// Number of cells around a soft pixel whose colours count for it: one by smoothing, one by
    /// interpolation.
    private static var reach: Int { 2 }
    /// Number of rows of a cell that are read; the others have the same colours.
    private static var rowsPerCell: Int { 2 }

    private struct Colors {
        /// Averages over a cell, times their weight.
        let averages = ScratchBuffer<SIMD4<Float>>()
        /// Averages over a cell and its neighbours.
        let smooth = ScratchBuffer<SIMD4<Float>>()

        func reserve(_ count: Int) {
            averages.reserve(count)
            smooth.reserve(count)
        }
    }

    /// Finds the colours in a frame before anything in it is changed; `scaler` has begun with the frame and
    /// `mask`.
    func build(_ frame: ImageView, _ mask: MaskView, _ scaler: AlphaSampler) {
        (layout, frameWidth) = (frame.format.layout, frame.width)
        let unit = 1 << max(1, layout.components.1.widthShift)
        let units = Int((Double(frame.height) / Self.cellsPerHeight / Double(unit)).rounded())
        cellSide = unit * max(1, min(units, Self.largestSide / unit))
        width = (frame.width + cellSide - 1) / cellSide
        height = (frame.height + cellSide - 1) / cellSide
        subject.reserve(width * height)
        surroundings.reserve(width * height)
        isNeeded.reserve(width * height).update(repeating: false, count: width * height)
        findSoftCells(frame, mask, scaler)
        for plane in 0..<layout.planeCount {
            for row in 0..<height { fill(row, plane: plane, frame, mask, scaler) }
        }
        for row in 0..<height { smooth(row) }
    }

    /// Returns the cells of samples in a row of `plane`.
    func cells(of samples: Range<Int>, plane: Int) -> Range<Int> {
        let perCell = samplesPerCell(plane: plane)
        let end = (samples.upperBound + perCell - 1) / perCell
        return (samples.lowerBound / perCell)..<max(samples.lowerBound / perCell, min(end, width))
    }

    /// Writes the colours beside a row of the frame, for `cells` and one more cell on each side.
    ///
    /// - Returns: false where no colours are known.
    func mixRow(
        _ row: Int, plane: Int, _ cells: Range<Int>, _ subject: UnsafeMutablePointer<SIMD4<Float>>,
        _ surroundings: UnsafeMutablePointer<SIMD4<Float>>
    ) -> Bool {
        let perCell = cellSide >> layout.heightShift(plane: plane)
        let tap = LinearTap(position: (Double(row) + 0.5) / Double(perCell) - 0.5, samples: height)
        let (top, bottom, share) = (Int(tap.index) * width, tap.last * width, tap.fraction)
        let (first, end) = (max(0, cells.lowerBound - 1), min(width, cells.upperBound + 1))
        for cell in first..<end where !isNeeded.base[top + cell] || !isNeeded.base[bottom + cell] {
            return false
        }
        let (own, old) = (self.subject.smooth.base, self.surroundings.smooth.base)
        for cell in first..<end {
            subject[cell] = own[top + cell] + (own[bottom + cell] - own[top + cell]) * share
            surroundings[cell] = old[top + cell] + (old[bottom + cell] - old[top + cell]) * share
        }
        return true
    }

    private func samplesPerCell(plane: Int) -> Int {
        for index in 0..<layout.partCount where layout.part(index).plane == plane {
            let part = layout.part(index)
            return (cellSide >> part.widthShift) * part.step
        }
        return cellSide
    }

    // MARK: - Cells

    /// Marks the cells around soft pixels, judged by the middle row of each cell.
    private func findSoftCells(_ frame: ImageView, _ mask: MaskView, _ scaler: AlphaSampler) {
        for cellRow in 0..<height {
            let row = min(cellRow * cellSide + cellSide / 2, frame.height - 1)
            scaler.selectRow(row, plane: 0, of: frame, mask: mask)
            for run in scaler.runs where run.kind == .soft {
                let cells = cells(of: run.samples, plane: 0)
                let (first, end) = (
                    max(0, cells.lowerBound - Self.reach), min(width, cells.upperBound + Self.reach)
                )
                for y in max(0, cellRow - Self.reach)...min(height - 1, cellRow + Self.reach) {
                    (isNeeded.base + y * width + first).update(repeating: true, count: max(0, end - first))
                }
            }
        }
    }

    /// Averages a plane's samples over the needed cells of a row.
    private func fill(
        _ cellRow: Int, plane: Int, _ frame: ImageView, _ mask: MaskView, _ scaler: AlphaSampler
    ) {
        let needed = isNeeded.base + cellRow * width
        guard (0..<width).contains(where: { needed[$0] }) else { return }
        let sums = sums.reserve(3 * width)
        sums.update(repeating: SIMD4(), count: 3 * width)
        let perCell = cellSide >> layout.heightShift(plane: plane)
        let step = max(1, perCell / Self.rowsPerCell)
        let end = min((cellRow + 1) * perCell, layout.rows(plane: plane, height: frame.height))
        for row in stride(from: min(cellRow * perCell + step / 2, end - 1), to: end, by: step) {
            scaler.selectRow(row, plane: plane, of: frame, mask: mask)
            let samples: UnsafePointer<Sample> = frame.plane(plane).samples(row)
            eachNeededRun(needed) { add(samples, plane: plane, cells: $0, scaler) }
        }
        for index in 0..<layout.colorCount where layout.component(index).plane == plane {
            store(sums + index * width, lane: index, at: cellRow * width)
        }
    }

    private func eachNeededRun(_ needed: UnsafePointer<Bool>, _ body: (Range<Int>) -> Void) {
        var first = 0
        while first < width {
            guard needed[first] else {
                first += 1
                continue
            }
            var end = first + 1
            while end < width, needed[end] { end += 1 }
            body(first..<end)
            first = end
        }
    }

    private func add(
        _ row: UnsafePointer<Sample>, plane: Int, cells: Range<Int>, _ scaler: AlphaSampler
    ) {
        let (perCell, count) = (
            samplesPerCell(plane: plane), layout.rowSamples(plane: plane, width: frameWidth)
        )
        let (first, end) = (cells.lowerBound * perCell, min(cells.upperBound * perCell, count))
        guard first < end else { return }
        let alpha = scaler.alpha(first..<end)
        let shift = Sample(truncatingIfNeeded: layout.shift)
        for index in 0..<layout.colorCount where layout.component(index).plane == plane {
            let (part, sums) = (layout.component(index), sums.base + index * width)
            var next = first + part.first
            for cell in cells {
                let cellEnd = min((cell &+ 1) &* perCell, end)
                var sum = SIMD4<UInt32>()
                while next < cellEnd {
                    let value = row[next] &>> shift
                    let own = Self.weight(alpha[next] >> 8)
                    let old = Self.weight(255 &- (alpha[next] >> 8))
                    sum &+= SIMD4(value.times(own), value.times(old), UInt32(own), UInt32(old))
                    next &+= part.step
                }
                sums[cell] &+= sum
            }
        }
    }

    /// Returns the fourth power of a share from 0 to 255, but never 0: without certain pixels, soft ones
    /// decide.
    @inline(__always)
    private static func weight(_ share: UInt16) -> UInt16 {
        let square = (share &* share) >> 8
        return ((square &* square) >> 8) &+ 1
    }

    /// Converts sums to averages times the weight of the first component.
    private func store(_ sums: UnsafePointer<SIMD4<UInt32>>, lane: Int, at first: Int) {
        let (subject, surroundings) = (
            self.subject.averages.base + first, self.surroundings.averages.base + first
        )
        for cell in 0..<width where isNeeded.base[first + cell] {
            let sum = SIMD4<Float>(sums[cell])
            if lane == 0 {
                subject[cell] = SIMD4(0, 0, 0, sum.z)
                surroundings[cell] = SIMD4(0, 0, 0, sum.w)
            }
            subject[cell][lane] = sum.x / max(sum.z, 1) * subject[cell].w
            surroundings[cell][lane] = sum.y / max(sum.w, 1) * surroundings[cell].w
        }
    }

    /// Averages the needed cells of a row with their neighbours, with the weights 1, 2, 1 each way.
    private func smooth(_ y: Int) {
        let needed = isNeeded.base
        let (own, old) = (subject.averages.base, surroundings.averages.base)
        for x in 0..<width where needed[y * width + x] {
            var (subject, surroundings) = (SIMD4<Float>(), SIMD4<Float>())
            for row in max(0, y - 1)...min(height - 1, y + 1) {
                for column in max(0, x - 1)...min(width - 1, x + 1) {
                    let cell = row &* width &+ column
                    guard needed[cell] else { continue }
                    let weight: Float = (row == y ? 2 : 1) * (column == x ? 2 : 1)
                    subject += own[cell] * weight
                    surroundings += old[cell] * weight
                }
            }
            self.subject.smooth.base[y * width + x] = subject / max(subject.w, 1)
            self.surroundings.smooth.base[y * width + x] = surroundings / max(surroundings.w, 1)
        }
    }
}
