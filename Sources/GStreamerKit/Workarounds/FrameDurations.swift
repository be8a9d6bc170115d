import Synchronization

/// Gives a duration to frames that have none, or a meaningless one.
///
/// Decoders give frames of streams without a frame rate, as browsers and screen recorders write them, a
/// single nanosecond. A video whose last frame is as short ends before it. Seen in GStreamer 1.22;
/// `VideoTranscodingTests.keepsTimesOfVideosWithoutARate` tells when it can go.
package enum FrameDurations {
    /// - Parameter pad: where decoded frames come in the order in which they are shown.
    package static func install(on pad: GStreamer.Pad) {
        let last = Mutex(Times())
        pad.onBuffer { info in
            guard let buffer = info.buffer else { return }
            let (time, duration) = (buffer.presentationTime, buffer.duration)
            if let gap = last.withLock({ $0.gap(ofFrameAt: time, lasting: duration) }) {
                info.writableBuffer?.setDuration(gap)
            }
        }
    }
}

private struct Times: Sendable {
    private var time: UInt64?
    private var gap: UInt64?

    /// Nanoseconds; shorter ones are no durations.
    private static let shortest: UInt64 = 1_000_000

    /// How long the frame before was shown, if this one does not know how long it is.
    mutating func gap(ofFrameAt next: UInt64?, lasting duration: UInt64?) -> UInt64? {
        guard let next else { return nil }
        if let time, next > time { gap = next - time }
        time = next
        return duration.map { $0 < Self.shortest } ?? true ? gap : nil
    }
}
