/// A stored sample: one byte, or two in the machine's byte order.
///
/// The arithmetic that kernels need is spelled out per type: it cannot trap, and becomes vector code.
package protocol PixelSample: FixedWidthInteger, UnsignedInteger, BitwiseCopyable, Sendable {
    /// The value.
    var float: Float { get }
    /// The nearest sample to a value in 0...`max`.
    static func rounded(_ value: Float) -> Self
    /// back + (front - back) * alpha / 65535, rounded to nearest (a tie cannot occur, 65535 being odd).
    static func mixed(_ front: Self, _ back: Self, alpha: UInt16) -> Self
    /// The value `weight` times, of which there are up to 256.
    func times(_ weight: UInt16) -> UInt32
}

extension UInt8: PixelSample {
    @inline(__always) package var float: Float { Float(self) }

    @inline(__always)
    package func times(_ weight: UInt16) -> UInt32 { UInt32(UInt16(self) &* weight) }

    @inline(__always)
    package static func rounded(_ value: Float) -> UInt8 { roundedByte(value) }

    @inline(__always)
    package static func mixed(_ front: UInt8, _ back: UInt8, alpha: UInt16) -> UInt8 {
        let a = UInt32(alpha)
        let sum = UInt32(front) &* a &+ UInt32(back) &* (65535 &- a) &+ 32768
        return UInt8(truncatingIfNeeded: (sum &+ (sum >> 16)) >> 16)
    }
}

extension UInt16: PixelSample {
    @inline(__always) package var float: Float { Float(Int32(self)) }

    @inline(__always)
    package func times(_ weight: UInt16) -> UInt32 { UInt32(self) &* UInt32(weight) }

    @inline(__always)
    package static func rounded(_ value: Float) -> UInt16 {
        UInt16(truncatingIfNeeded: (value + 8_388_608).bitPattern)
    }

    @inline(__always)
    package static func mixed(_ front: UInt16, _ back: UInt16, alpha: UInt16) -> UInt16 {
        let a = UInt32(alpha)
        let sum = UInt32(front) &* a &+ UInt32(back) &* (65535 &- a) &+ 32768
        // Exact for all sums of this form: x / 65535 = (x + x / 65536) / 65536 up to what + 32768 rounds off.
        return UInt16(truncatingIfNeeded: (sum &+ (sum >> 16)) >> 16)
    }
}

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
