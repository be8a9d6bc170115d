/// The subject's own colour at soft pixels, without the old background's.
///
/// Colours of what is surely subject and surely background, taken from around each soft pixel, are corrected so
/// that together they make the pixel that is seen (Forte 2021, "Approximate fast foreground colour
/// estimation"; here certain pixels count far more than soft ones, instead of a second pass).
final class ForegroundEstimate<Sample: PixelSample> {
    private let colors = EdgeColors<Sample>()
    private let subject = ScratchBuffer<SIMD4<Float>>()
    private let surroundings = ScratchBuffer<SIMD4<Float>>()
    private var layout = PixelFormat.gray8.layout
    /// Whether there is anything to do in this frame.
    private(set) var isActive = false

    /// Starts a frame before anything in it is changed.
    func begin(_ frame: FrameContext, isWanted: Bool) {
        isActive = false
        guard isWanted, let mask = frame.mask else { return }
        layout = frame.image.format.layout
        colors.build(frame.image, mask, frame.scaler)
        subject.reserve(colors.width + 1)
        surroundings.reserve(colors.width + 1)
        isActive = true
    }

    /// Replaces soft samples by what the subject alone would show.
    func apply(
        to samples: UnsafeMutablePointer<Sample>, _ range: Range<Int>, alpha: UnsafePointer<UInt16>, row: Int,
        plane: Int
    ) {
        let cells = colors.cells(of: range, plane: plane)
        guard isActive, colors.mixRow(row, plane: plane, cells, subject.base, surroundings.base) else {
            return
        }
        for index in 0..<layout.colorCount where layout.component(index).plane == plane {
            correct(samples, range, alpha, layout.component(index), lane: index)
        }
    }

    private func correct(
        _ samples: UnsafeMutablePointer<Sample>, _ range: Range<Int>, _ alpha: UnsafePointer<UInt16>,
        _ part: ComponentLayout, lane: Int
    ) {
        let shift = Sample(truncatingIfNeeded: layout.shift)
        let (unit, maximum) = (Float(1) / 65535, Float(layout.maximum))
        let perSample = 1 / Float(colors.cellSide >> part.widthShift)
        let lastCell = Float(colors.width - 1)
        let subject = UnsafeRawPointer(subject.base).assumingMemoryBound(to: Float.self) + lane
        let surroundings = UnsafeRawPointer(surroundings.base).assumingMemoryBound(to: Float.self) + lane
        var index = part.start(in: range)
        var position = (Float((index - part.first) / part.step) + 0.5) * perSample - 0.5
        while index < range.upperBound {
            let inside = max(0, min(position, lastCell))
            let cell = Int32(inside)
            let (left, share) = (4 &* Int(cell), inside - Float(cell))
            let own = subject[left] + (subject[left &+ 4] - subject[left]) * share
            let old = surroundings[left] + (surroundings[left &+ 4] - surroundings[left]) * share
            let a = alpha[index].float * unit
            let error = (samples[index] &>> shift).float - a * own - (1 - a) * old
            samples[index] = .rounded(max(0, min(own + a * error, maximum))) &<< shift
            index &+= part.step
            position += perSample
        }
    }
}
