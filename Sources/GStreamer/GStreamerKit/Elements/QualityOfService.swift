/// The decision which frames are too late to be shown, by the sink's reports (GStreamer's QOS events).
///
/// Times are in nanoseconds of running time.
package struct QualityOfService: Sendable {
    /// Lateness that GStreamer's video sinks accept.
    private static let tolerance: Int64 = 5_000_000
    /// Longest gap between frames that are let through: a sink shows one frame a second, however late it is,
    /// and reports again.
    private static let longestGap: Int64 = 1_000_000_000

    /// Running time of the frame that the sink shows, minus the clock's running time: the negative latency.
    private var offset: Int64?
    private var lastPassed: Int64?
    /// Frames that were let through since the stream started.
    package private(set) var processed: UInt64 = 0
    /// Frames that were left out since the stream started.
    package private(set) var dropped: UInt64 = 0
    /// The sink's estimate of the factor by which frames must come faster; less than 1 when the sink waits.
    package private(set) var proportion = 1.0

    package init() {}

    /// Records a report of the sink.
    ///
    /// - Parameters:
    ///   - time: running time of a frame.
    ///   - jitter: lateness of the frame, negative when it was early.
    ///   - now: running time of the clock.
    package mutating func report(_ time: Int64, jitter: Int64, proportion: Double, now: Int64) {
        // A sink without synchronization shows frames as they come, and reports 0 for each.
        offset = jitter == 0 ? nil : time &+ jitter &- now
        self.proportion = proportion
    }

    /// Discards the reports, after a jump in time or a new latency.
    package mutating func reset() { (offset, lastPassed) = (nil, nil) }

    /// Lateness of the frame of `time` if it is processed; nil when the frame is in time or nothing is known.
    ///
    /// - Parameters:
    ///   - now: running time of the clock.
    ///   - work: processing time of the frame.
    ///   - upstream: the latency of a live source; nil when frames may come ahead of their time.
    package mutating func lateness(of time: Int64, now: Int64, work: Int64, upstream: Int64?) -> Int64? {
        let late = offset.map { offset in
            // A pipeline that allows a live source's frames less time than their processing takes shows all
            // of them late. In that case only frames count that are late already.
            let granted = upstream.map { max(0, 0 &- offset &- $0) } ?? work
            return now &+ offset &+ min(work, granted) &- time
        }
        // When time has jumped back, a second after the last frame may be far off.
        let isOverdue = lastPassed.map { time < $0 || time &- $0 >= Self.longestGap } ?? true
        guard let late, late > Self.tolerance, !isOverdue else {
            lastPassed = time
            processed += 1
            return nil
        }
        dropped += 1
        return late
    }
}
