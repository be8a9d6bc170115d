/// The subject's own colour at soft pixels, without the old background's.
///
/// Colours of what is surely subject and surely background, spread by normalised blurs, are corrected so
/// that together they make the pixel that is seen (Forte 2021, "Approximate fast foreground colour
/// estimation"; here certain pixels count far more than soft ones, instead of a second pass).
final class ForegroundEstimate<Sample: PixelSample> {
    private let inverse = AlphaSampler()
    private let front = BlurredRows<Sample>()
    private let back = BlurredRows<Sample>()
    private var layout = PixelFormat.gray8.layout
    /// Whether there is anything to do in this frame.
    private(set) var isActive = false

    /// How far colours are spread, in frame heights.
    private static var reach: Blur { Blur(radius: 0.006) }

    /// Starts a frame before anything in it is changed; `scaler` has begun with the mask.
    func begin(
        _ frame: ImageView, _ mask: MaskView?, _ composition: Composition, scaler: AlphaSampler
    ) {
        isActive = false
        guard composition.decontaminate, let mask else { return }
        layout = frame.format.layout
        inverse.begin(frame, mask: mask, invert: !composition.invert)
        isActive =
            back.prepare(frame, mask: mask, Self.reach, scaler: scaler, weighting: .certain)
            && front.prepare(frame, mask: mask, Self.reach, scaler: inverse, weighting: .certain)
    }

    /// Replaces soft samples by what the subject alone would show.
    func apply(
        to samples: UnsafeMutablePointer<Sample>, _ range: Range<Int>, alpha: UnsafePointer<UInt16>, row: Int,
        plane: Int
    ) {
        guard isActive else { return }
        let front = front.row(row, plane: plane, samples: range)
        let back = back.row(row, plane: plane, samples: range)
        for index in 0..<layout.colorCount where layout.component(index).plane == plane {
            let part = layout.component(index)
            correct(samples, front, back, alpha, part.start(in: range), range.upperBound, part.step)
        }
    }

    private func correct(
        _ samples: UnsafeMutablePointer<Sample>, _ front: UnsafePointer<Sample>,
        _ back: UnsafePointer<Sample>,
        _ alpha: UnsafePointer<UInt16>, _ first: Int, _ end: Int, _ step: Int
    ) {
        let shift = Sample(truncatingIfNeeded: layout.shift)
        let (unit, maximum) = (Float(1) / 65535, Float(layout.maximum))
        var index = first
        while index < end {
            let a = alpha[index].float * unit
            let (f, b) = ((front[index] &>> shift).float, (back[index] &>> shift).float)
            let error = (samples[index] &>> shift).float - a * f - (1 - a) * b
            samples[index] = .rounded(max(0, min(f + a * error, maximum))) &<< shift
            index &+= step
        }
    }
}
