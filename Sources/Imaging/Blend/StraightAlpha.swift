/// Composes frames with straight alpha: colours are not multiplied by it.
///
/// With the mask m, the layers' coverage c and their colour P times c, the colour of a frame F is
/// (m F + (1 - m) P c) / (m + (1 - m) c), in components above black, and the denominator is its alpha.
final class StraightAlpha<Sample: PixelSample> {
    private let divisors = ScratchBuffer<Float>()

    /// - Parameters:
    ///   - row: the frame's samples, indexed as all the others.
    ///   - layers: the background's layers, times its coverage.
    ///   - mask: nil where all is background.
    ///   - black: the components of black, and no alpha.
    func compose(
        _ row: UnsafeMutablePointer<Sample>, over layers: UnsafePointer<Sample>, _ samples: Range<Int>,
        mask: UnsafePointer<UInt16>?, coverage: UnsafePointer<Sample>, black: UnsafePointer<Sample>,
        alpha: ComponentLayout?
    ) {
        let divisors = divisors.reserve(samples.upperBound)
        let (limit, maskUnit) = (Sample.max.float, Float(1) / 65535)
        for i in samples {
            let m = (mask?[i].float ?? 0) * maskUnit
            divisors[i] = m + (1 - m) * coverage[i].float / limit
        }
        if let alpha {
            for i in stride(from: alpha.first, to: samples.upperBound, by: alpha.step) { divisors[i] = 1 }
        }
        for i in samples {
            let (m, foot) = ((mask?[i].float ?? 0) * maskUnit, black[i].float)
            let sum = (row[i].float - foot) * m + (layers[i].float - foot) * (1 - m)
            let value = divisors[i] > 0 ? foot + sum / divisors[i] : foot
            row[i] = .rounded(max(0, min(value, limit)))
        }
    }
}
