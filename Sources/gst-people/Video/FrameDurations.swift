import CGStreamer
import Synchronization

/// Gives a duration to frames that have none, or a meaningless one.
///
/// Decoders give frames of streams without a frame rate, as browsers and screen recorders write them, a
/// single nanosecond. A film whose last frame is as short ends before it.
enum FrameDurations {
    /// - Parameter pad: where decoded frames come in the order in which they are shown.
    static func install(on pad: Pad) {
        let last = Mutex(Times())
        onBuffer(pad) { info in
            guard let data = info.pointee.data,
                let gap = last.withLock({ $0.gap(of: data.assumingMemoryBound(to: GstBuffer.self).pointee) }),
                let frame = writableBuffer(of: info)
            else { return }
            frame.pointee.duration = GstClockTime(gap)
        }
    }
}

private struct Times: Sendable {
    private var time: UInt64?
    private var gap: UInt64?

    /// Nanoseconds; shorter ones are no durations.
    private static let shortest: UInt64 = 1_000_000

    /// How long the frame before was shown, if this one does not know how long it is.
    mutating func gap(of buffer: GstBuffer) -> UInt64? {
        let (next, duration) = (UInt64(buffer.pts), UInt64(buffer.duration))
        guard next != .max else { return nil }
        if let time, next > time { gap = next - time }
        time = next
        return duration == .max || duration < Self.shortest ? gap : nil
    }
}
