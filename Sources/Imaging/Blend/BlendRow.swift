/// Blending of rows of samples; what the samples mean does not matter.
///
/// Alpha is 65535 where only the first is seen. `shift` is the format's: the bits below it stay 0.
package enum BlendRow {
    /// frame = background + (frame - background) * alpha, rounded to nearest.
    package static func blend<Sample: PixelSample>(
        _ frame: UnsafeMutablePointer<Sample>, over background: UnsafePointer<Sample>,
        alpha: UnsafePointer<UInt16>, count: Int, shift: Int = 0
    ) {
        if shift == 0 {
            for i in 0..<count { frame[i] = .mixed(frame[i], background[i], alpha: alpha[i]) }
        } else {
            let shift = Sample(truncatingIfNeeded: shift)
            for i in 0..<count {
                frame[i] = .mixed(frame[i] &>> shift, background[i] &>> shift, alpha: alpha[i]) &<< shift
            }
        }
    }

    /// row = row + (color - row) * alpha, rounded to nearest.
    package static func tint<Sample: PixelSample>(
        _ row: UnsafeMutablePointer<Sample>, with color: UnsafePointer<Sample>,
        alpha: UnsafePointer<UInt16>, count: Int, shift: Int = 0
    ) {
        if shift == 0 {
            for i in 0..<count { row[i] = .mixed(color[i], row[i], alpha: alpha[i]) }
        } else {
            let shift = Sample(truncatingIfNeeded: shift)
            for i in 0..<count {
                row[i] = .mixed(color[i] &>> shift, row[i] &>> shift, alpha: alpha[i]) &<< shift
            }
        }
    }
}
