/// Blending of rows of bytes; what the bytes mean does not matter.
package enum BlendRow {
    /// frame = background + (frame - background) * alpha / 255, rounded to nearest (a tie cannot occur,
    /// 255 being odd).
    package static func blend(
        _ frame: UnsafeMutablePointer<UInt8>, over background: UnsafePointer<UInt8>,
        alpha: UnsafePointer<UInt8>, count: Int
    ) {
        for i in 0..<count {
            let a = UInt16(alpha[i])
            let sum = UInt16(frame[i]) &* a &+ UInt16(background[i]) &* (255 &- a) &+ 128
            // Exact for all sums of this form: x / 255 = (x + x / 256) / 256 up to what + 128 rounds off.
            frame[i] = UInt8(truncatingIfNeeded: (sum &+ (sum >> 8)) >> 8)
        }
    }
}
