/// The subject's own colour at soft pixels, without the old background's.
///
/// Colours of what is surely subject and surely background, taken from around each soft pixel, are corrected so
/// that together they make the pixel that is seen (Forte 2021, "Approximate fast foreground colour
/// estimation"; here certain pixels count far more than soft ones, instead of a second pass).
final class ForegroundEstimate<Sample: PixelSample> {
    private let colors = EdgeColors<Sample>()
    private let (ownCells, oldCells) = (ScratchBuffer<SIMD4<Float>>(), ScratchBuffer<SIMD4<Float>>())
    private let (own, old) = (ScratchBuffer<Float>(), ScratchBuffer<Float>())
    private var layout = PixelFormat.gray8.layout

    /// Starts a frame before anything in it is changed; false when there is nothing to do in it.
    func begin(_ frame: FrameContext) -> Bool {
        guard let mask = frame.mask else { return false }
        layout = frame.image.format.layout
        colors.build(frame.image, mask, frame.scaler)
        ownCells.reserve(colors.width + 1)
        oldCells.reserve(colors.width + 1)
        own.reserve(layout.longestRow(width: frame.image.width))
        old.reserve(layout.longestRow(width: frame.image.width))
        return true
    }

    /// Replaces soft samples by what the subject alone would show.
    func apply(
        to samples: UnsafeMutablePointer<Sample>, _ range: Range<Int>, alpha: UnsafePointer<UInt16>, row: Int,
        plane: Int
    ) {
        let cells = colors.cells(of: range, plane: plane)
        guard colors.mixRow(row, plane: plane, cells, ownCells.base, oldCells.base) else { return }
        // Where components are interleaved, alpha and padding lie between them and stay as they are.
        if layout.hasInterleavedSamples(plane: plane) { copy(samples, range) }
        for index in 0..<layout.colorCount where layout.component(index).plane == plane {
            expand(layout.component(index), lane: index, range)
        }
        correct(samples, range, alpha)
    }

    private func copy(_ samples: UnsafePointer<Sample>, _ range: Range<Int>) {
        let (own, old, shift) = (own.base, old.base, Sample(truncatingIfNeeded: layout.shift))
        for i in range {
            let value = (samples[i] &>> shift).float
            (own[i], old[i]) = (value, value)
        }
    }

    /// Interpolates a component's colours from the middle of one cell to the middle of the next.
    private func expand(_ part: ComponentLayout, lane: Int, _ range: Range<Int>) {
        let perCell = colors.cellSide >> part.widthShift
        let (own, old, step) = (own.base, old.base, part.step)
        let ownCells = UnsafeRawPointer(ownCells.base).assumingMemoryBound(to: Float.self) + lane
        let oldCells = UnsafeRawPointer(oldCells.base).assumingMemoryBound(to: Float.self) + lane
        var index = part.start(in: range)
        while index < range.upperBound {
            let sample = (index - part.first) / step
            // Left of the first cell's middle its own colour goes on.
            let cell = (sample + perCell - perCell / 2) / perCell - 1
            let (left, right) = (4 * max(0, cell), 4 * (cell + 1))
            let end = min(range.upperBound, part.first + ((cell + 1) * perCell + perCell / 2) * step)
            let slope = 1 / Float(perCell)
            var share = (Float(sample - cell * perCell) + 0.5) * slope - 0.5
            let (ownStep, oldStep) = (ownCells[right] - ownCells[left], oldCells[right] - oldCells[left])
            let (ownStart, oldStart) = (ownCells[left], oldCells[left])
            while index < end {
                own[index] = ownStart + ownStep * share
                old[index] = oldStart + oldStep * share
                index &+= step
                share += slope
            }
        }
    }

    private func correct(
        _ samples: UnsafeMutablePointer<Sample>, _ range: Range<Int>, _ alpha: UnsafePointer<UInt16>
    ) {
        let (own, old, shift) = (own.base, old.base, Sample(truncatingIfNeeded: layout.shift))
        let (unit, maximum) = (Float(1) / 65535, Float(layout.maximum))
        for i in range {
            let a = alpha[i].float * unit
            let error = (samples[i] &>> shift).float - a * own[i] - (1 - a) * old[i]
            samples[i] = .rounded(max(0, min(own[i] + a * error, maximum))) &<< shift
        }
    }
}

extension PixelLayout {
    /// Whether a row of `plane` has samples of more than one kind.
    fileprivate func hasInterleavedSamples(plane: Int) -> Bool {
        for index in 0..<colorCount where component(index).plane == plane {
            return component(index).step > 1
        }
        return true
    }
}
