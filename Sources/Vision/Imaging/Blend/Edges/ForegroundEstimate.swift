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
