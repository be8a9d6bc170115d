import CKernels

/// The kernels of `CKernels` that exist for either kind of sample.
///
/// Rows do not overlap. `shift` is the format's: the bits below it stay 0.
package protocol SampleKernels {
    /// frame = background + (frame - background) * alpha / 65535, rounded to nearest.
    static func blend(
        _ frame: UnsafeMutablePointer<Self>, over background: UnsafePointer<Self>,
        alpha: UnsafePointer<UInt16>, count: Int, shift: Int)
    /// row = row + (color - row) * alpha / 65535, rounded to nearest.
    static func tint(
        _ row: UnsafeMutablePointer<Self>, with color: UnsafePointer<Self>, alpha: UnsafePointer<UInt16>,
        count: Int, shift: Int)
}

extension UInt8: SampleKernels {
    package static func blend(
        _ frame: UnsafeMutablePointer<Self>, over background: UnsafePointer<Self>,
        alpha: UnsafePointer<UInt16>, count: Int, shift: Int
    ) { kernel_blend_u8(frame, background, alpha, count) }

    package static func tint(
        _ row: UnsafeMutablePointer<Self>, with color: UnsafePointer<Self>, alpha: UnsafePointer<UInt16>,
        count: Int, shift: Int
    ) { kernel_tint_u8(row, color, alpha, count) }
}

extension UInt16: SampleKernels {
    package static func blend(
        _ frame: UnsafeMutablePointer<Self>, over background: UnsafePointer<Self>,
        alpha: UnsafePointer<UInt16>, count: Int, shift: Int
    ) { kernel_blend_u16(frame, background, alpha, count, Int32(truncatingIfNeeded: shift)) }

    package static func tint(
        _ row: UnsafeMutablePointer<Self>, with color: UnsafePointer<Self>, alpha: UnsafePointer<UInt16>,
        count: Int, shift: Int
    ) { kernel_tint_u16(row, color, alpha, count, Int32(truncatingIfNeeded: shift)) }
}

/// Blending of rows of samples; what the samples mean does not matter.
///
/// Alpha is 65535 where only the first is seen. `shift` is the format's: the bits below it stay 0.
package enum BlendRow {
    /// frame = background + (frame - background) * alpha, rounded to nearest.
    package static func blend<Sample: PixelSample>(
        _ frame: UnsafeMutablePointer<Sample>, over background: UnsafePointer<Sample>,
        alpha: UnsafePointer<UInt16>, count: Int, shift: Int = 0
    ) { Sample.blend(frame, over: background, alpha: alpha, count: count, shift: shift) }

    /// row = row + (color - row) * alpha, rounded to nearest.
    package static func tint<Sample: PixelSample>(
        _ row: UnsafeMutablePointer<Sample>, with color: UnsafePointer<Sample>,
        alpha: UnsafePointer<UInt16>, count: Int, shift: Int = 0
    ) { Sample.tint(row, with: color, alpha: alpha, count: count, shift: shift) }
}
