import CKernels

/// A stored sample: one byte, or two in the machine's byte order.
///
/// The arithmetic that kernels need is written out per type: it cannot trap, and the compiler vectorizes it.
package protocol PixelSample: SampleKernels, FixedWidthInteger, UnsignedInteger, BitwiseCopyable, Sendable {
    /// The value.
    var float: Float { get }
    /// Returns the nearest sample to a value in 0...`max`.
    static func rounded(_ value: Float) -> Self
    /// Returns the value times `weight`, which is at most 256.
    func times(_ weight: UInt16) -> UInt32
}

extension UInt8: PixelSample {
    @inline(__always) package var float: Float { Float(self) }

    @inline(__always)
    package func times(_ weight: UInt16) -> UInt32 { UInt32(UInt16(self) &* weight) }

    @inline(__always)
    package static func rounded(_ value: Float) -> UInt8 { roundedByte(value) }
}

extension UInt16: PixelSample {
    @inline(__always) package var float: Float { Float(Int32(self)) }

    @inline(__always)
    package func times(_ weight: UInt16) -> UInt32 { UInt32(self) &* UInt32(weight) }

    @inline(__always)
    package static func rounded(_ value: Float) -> UInt16 {
        UInt16(truncatingIfNeeded: (value + 8_388_608).bitPattern)
    }
}

/// The kernels of `CKernels` that exist for either kind of sample.
///
/// Rows do not overlap. `shift` is the format's shift; the bits below it stay 0.
package protocol SampleKernels {
    /// frame = background + (frame - background) * alpha / 65535, rounded to nearest.
    static func blend(
        _ frame: UnsafeMutablePointer<Self>, over background: UnsafePointer<Self>,
        alpha: UnsafePointer<UInt16>, count: Int, shift: Int)
    /// row = row + (color - row) * alpha / 65535, rounded to nearest.
    static func tint(
        _ row: UnsafeMutablePointer<Self>, with color: UnsafePointer<Self>, alpha: UnsafePointer<UInt16>,
        count: Int, shift: Int)
    /// Adds the samples along a line through a grid, in units of 2^-24 samples; see `kernel_add_line_u8`.
    static func addLine(
        _ samples: UnsafePointer<Self>, pitch: Int, step: Int, width: Int, height: Int, x: Int, y: Int,
        stepX: Int, stepY: Int, to values: UnsafeMutablePointer<Float>, count: Int)
    /// sums += weight * (the sum of up to 8 rows, `stride` samples apart).
    static func sumRows(
        _ samples: UnsafePointer<Self>, stride: Int, rows: Int, weight: Int,
        sums: UnsafeMutablePointer<UInt32>, count: Int)
    /// sums += weight * samples, weights += weight, from 256 (alpha 0) down to 1 (alpha 65535).
    static func sumBackground(
        _ samples: UnsafePointer<Self>, alpha: UnsafePointer<UInt16>, sums: UnsafeMutablePointer<UInt32>,
        weights: UnsafeMutablePointer<UInt32>, count: Int)
    /// Mixes the three rows of a spline; see `kernel_spline_rows_u8`.
    static func mix(
        _ rows: SplineRows, _ weights: SplineWeights, into samples: UnsafeMutablePointer<Self>, count: Int,
        shift: Int)
    /// Replaces soft samples by the subject's own colour; see `kernel_correct_u8`.
    static func correct(
        _ samples: UnsafeMutablePointer<Self>, alpha: UnsafePointer<UInt16>, own: UnsafePointer<Float>,
        old: UnsafePointer<Float>, _ pattern: CellPattern, _ range: Range<Int>, maximum: Float, shift: Int)
    /// Changes samples by parameters that repeat; see `kernel_tone_u8`.
    static func tone(
        _ samples: UnsafeMutablePointer<Self>, gains: UnsafePointer<Float>, offsets: UnsafePointer<Float>,
        whites: UnsafePointer<Float>, maximum: Float, shift: Int, count: Int)
    /// Changes pixels, whose samples are drawn to a weighted sum first; see `kernel_desaturate_u8`.
    static func desaturate(
        _ samples: UnsafeMutablePointer<Self>, gains: UnsafePointer<Float>, whites: UnsafePointer<Float>,
        weights: UnsafePointer<Float>, drawn: UnsafePointer<Float>, step: Int, maximum: Float, pixels: Int)
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

    package static func sumRows(
        _ samples: UnsafePointer<Self>, stride: Int, rows: Int, weight: Int,
        sums: UnsafeMutablePointer<UInt32>, count: Int
    ) { kernel_sum_rows_u8(samples, stride, rows, weight, sums, count) }

    package static func addLine(
        _ samples: UnsafePointer<Self>, pitch: Int, step: Int, width: Int, height: Int, x: Int, y: Int,
        stepX: Int, stepY: Int, to values: UnsafeMutablePointer<Float>, count: Int
    ) {
        kernel_add_line_u8(
            samples, pitch, step, width, height, Int64(x), Int64(y), Int64(stepX), Int64(stepY), values, count
        )
    }

    package static func sumBackground(
        _ samples: UnsafePointer<Self>, alpha: UnsafePointer<UInt16>, sums: UnsafeMutablePointer<UInt32>,
        weights: UnsafeMutablePointer<UInt32>, count: Int
    ) { kernel_sum_background_u8(samples, alpha, sums, weights, count) }

    package static func mix(
        _ rows: SplineRows, _ weights: SplineWeights, into samples: UnsafeMutablePointer<Self>, count: Int,
        shift: Int
    ) {
        kernel_spline_rows_u8(
            rows.above, rows.middle, rows.below, weights.above, weights.middle, weights.below, samples, count,
            shift)
    }

    package static func correct(
        _ samples: UnsafeMutablePointer<Self>, alpha: UnsafePointer<UInt16>, own: UnsafePointer<Float>,
        old: UnsafePointer<Float>, _ pattern: CellPattern, _ range: Range<Int>, maximum: Float, shift: Int
    ) {
        kernel_correct_u8(
            samples, alpha, own, old, pattern.period, pattern.samplesPerCell, pattern.lefts, pattern.rights,
            pattern.shares, range.lowerBound, range.upperBound, maximum, shift)
    }

    package static func tone(
        _ samples: UnsafeMutablePointer<Self>, gains: UnsafePointer<Float>, offsets: UnsafePointer<Float>,
        whites: UnsafePointer<Float>, maximum: Float, shift: Int, count: Int
    ) { kernel_tone_u8(samples, gains, offsets, whites, maximum, shift, count) }

    package static func desaturate(
        _ samples: UnsafeMutablePointer<Self>, gains: UnsafePointer<Float>, whites: UnsafePointer<Float>,
        weights: UnsafePointer<Float>, drawn: UnsafePointer<Float>, step: Int, maximum: Float, pixels: Int
    ) { kernel_desaturate_u8(samples, gains, whites, weights, drawn, step, maximum, pixels) }
}

extension UInt16: SampleKernels {
    package static func blend(
        _ frame: UnsafeMutablePointer<Self>, over background: UnsafePointer<Self>,
        alpha: UnsafePointer<UInt16>, count: Int, shift: Int
    ) { kernel_blend_u16(frame, background, alpha, count, shift) }

    package static func tint(
        _ row: UnsafeMutablePointer<Self>, with color: UnsafePointer<Self>, alpha: UnsafePointer<UInt16>,
        count: Int, shift: Int
    ) { kernel_tint_u16(row, color, alpha, count, shift) }

    package static func sumRows(
        _ samples: UnsafePointer<Self>, stride: Int, rows: Int, weight: Int,
        sums: UnsafeMutablePointer<UInt32>, count: Int
    ) { kernel_sum_rows_u16(samples, stride, rows, weight, sums, count) }

    package static func addLine(
        _ samples: UnsafePointer<Self>, pitch: Int, step: Int, width: Int, height: Int, x: Int, y: Int,
        stepX: Int, stepY: Int, to values: UnsafeMutablePointer<Float>, count: Int
    ) {
        kernel_add_line_u16(
            samples, pitch, step, width, height, Int64(x), Int64(y), Int64(stepX), Int64(stepY), values, count
        )
    }

    package static func sumBackground(
        _ samples: UnsafePointer<Self>, alpha: UnsafePointer<UInt16>, sums: UnsafeMutablePointer<UInt32>,
        weights: UnsafeMutablePointer<UInt32>, count: Int
    ) { kernel_sum_background_u16(samples, alpha, sums, weights, count) }

    package static func mix(
        _ rows: SplineRows, _ weights: SplineWeights, into samples: UnsafeMutablePointer<Self>, count: Int,
        shift: Int
    ) {
        kernel_spline_rows_u16(
            rows.above, rows.middle, rows.below, weights.above, weights.middle, weights.below, samples, count,
            shift)
    }

    package static func correct(
        _ samples: UnsafeMutablePointer<Self>, alpha: UnsafePointer<UInt16>, own: UnsafePointer<Float>,
        old: UnsafePointer<Float>, _ pattern: CellPattern, _ range: Range<Int>, maximum: Float, shift: Int
    ) {
        kernel_correct_u16(
            samples, alpha, own, old, pattern.period, pattern.samplesPerCell, pattern.lefts, pattern.rights,
            pattern.shares, range.lowerBound, range.upperBound, maximum, shift)
    }

    package static func tone(
        _ samples: UnsafeMutablePointer<Self>, gains: UnsafePointer<Float>, offsets: UnsafePointer<Float>,
        whites: UnsafePointer<Float>, maximum: Float, shift: Int, count: Int
    ) { kernel_tone_u16(samples, gains, offsets, whites, maximum, shift, count) }

    package static func desaturate(
        _ samples: UnsafeMutablePointer<Self>, gains: UnsafePointer<Float>, whites: UnsafePointer<Float>,
        weights: UnsafePointer<Float>, drawn: UnsafePointer<Float>, step: Int, maximum: Float, pixels: Int
    ) { kernel_desaturate_u16(samples, gains, whites, weights, drawn, step, maximum, pixels) }
}
