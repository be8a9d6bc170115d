/// A stored sample: one byte, or two in the machine's byte order.
///
/// The arithmetic that kernels need is spelled out per type: it cannot trap, and becomes vector code.
package protocol PixelSample: SampleKernels, FixedWidthInteger, UnsignedInteger, BitwiseCopyable, Sendable {
    /// The value.
    var float: Float { get }
    /// The nearest sample to a value in 0...`max`.
    static func rounded(_ value: Float) -> Self
    /// The value `weight` times, of which there are up to 256.
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
