/// A stored sample: one byte, or two in the machine's byte order.
///
/// The arithmetic that kernels need is spelled out per type: it cannot trap, and becomes vector code.
package protocol PixelSample: FixedWidthInteger, UnsignedInteger, BitwiseCopyable, Sendable {
    /// The value.
    var float: Float { get }
    /// The nearest sample to a value in 0...`max`.
    static func rounded(_ value: Float) -> Self
    /// back + (front - back) * alpha / `max`, rounded to nearest (a tie cannot occur, `max` being odd).
    static func mixed(_ front: Self, _ back: Self, alpha: Self) -> Self
    /// The eight most significant bits.
    var upperByte: UInt16 { get }
    /// 0 or 255 for alpha of 0...`max` that is surely background or subject, anything between else.
    ///
    /// - Parameters:
    ///   - low: what lies below shows no subject at the format's depth.
    ///   - high: what lies above shows no background.
    static func certainty(of alpha: Float, _ low: Float, _ high: Float) -> UInt8
    /// The value `weight` times, of which there are up to 256.
    func times(_ weight: UInt16) -> UInt32
}

extension UInt8: PixelSample {
    @inline(__always) package var float: Float { Float(self) }
    @inline(__always) package var upperByte: UInt16 { UInt16(self) }

    @inline(__always)
    package func times(_ weight: UInt16) -> UInt32 { UInt32(UInt16(self) &* weight) }

    @inline(__always)
    package static func certainty(of alpha: Float, _ low: Float, _ high: Float) -> UInt8 {
        roundedByte(alpha)
    }

    @inline(__always)
    package static func rounded(_ value: Float) -> UInt8 { roundedByte(value) }

    @inline(__always)
    package static func mixed(_ front: UInt8, _ back: UInt8, alpha: UInt8) -> UInt8 {
        let a = UInt16(alpha)
        let sum = UInt16(front) &* a &+ UInt16(back) &* (255 &- a) &+ 128
        // Exact for all sums of this form: x / 255 = (x + x / 256) / 256 up to what + 128 rounds off.
        return UInt8(truncatingIfNeeded: (sum &+ (sum >> 8)) >> 8)
    }
}

extension UInt16: PixelSample {
    @inline(__always) package var float: Float { Float(Int32(self)) }
    @inline(__always) package var upperByte: UInt16 { self >> 8 }

    @inline(__always)
    package func times(_ weight: UInt16) -> UInt32 { UInt32(self) &* UInt32(weight) }

    @inline(__always)
    package static func certainty(of alpha: Float, _ low: Float, _ high: Float) -> UInt8 {
        alpha > low ? alpha < high ? 1 : 255 : 0
    }

    @inline(__always)
    package static func rounded(_ value: Float) -> UInt16 {
        UInt16(truncatingIfNeeded: (value + 8_388_608).bitPattern)
    }

    @inline(__always)
    package static func mixed(_ front: UInt16, _ back: UInt16, alpha: UInt16) -> UInt16 {
        let a = UInt32(alpha)
        let sum = UInt32(front) &* a &+ UInt32(back) &* (65535 &- a) &+ 32768
        return UInt16(truncatingIfNeeded: (sum &+ (sum >> 16)) >> 16)
    }
}
