/// Which frames come too late to be shown, from what the sink reports (GStreamer's QOS events).
///
/// Times are in nanoseconds of running time.
package struct QualityOfService: Sendable {
    /// What GStreamer's video sinks accept as being in time.
    private static let tolerance: Int64 = 5_000_000
    /// After so much has been left out, a frame is let through all the same: a sink shows one a second, however late
    /// it is, and reports again.
    private static let longestGap: Int64 = 1_000_000_000

    /// The running time of what the sink shows, minus the running time of the clock: minus the latency.
    private var offset: Int64?
    private var lastPassed: Int64?
    /// Frames that were let through since the stream started.
    package private(set) var processed: UInt64 = 0
    /// Frames that were left out since the stream started.
    package private(set) var dropped: UInt64 = 0
    /// The sink's estimate of how much faster it would have to be fed; less than 1 when it waits.
    package private(set) var proportion = 1.0

    package init() {}

    /// Takes note of a report.
    ///
    /// - Parameters:
    ///   - time: of a frame.
    ///   - jitter: how late it came, negative when it was early.
    ///   - now: the clock's time.
    package mutating func report(_ time: Int64, jitter: Int64, proportion: Double, now: Int64) {
        // A sink that shows frames as they come has no time to be late for, and reports 0 for each.
        offset = jitter == 0 ? nil : time &+ jitter &- now
        self.proportion = proportion
    }

    /// Forgets the reports: time or latency are new.
    package mutating func reset() { (offset, lastPassed) = (nil, nil) }

    /// How late the frame of `time` will be shown if it is worked on; nil when it is in time or nothing is known.
    ///
    /// - Parameters:
    ///   - now: the clock's time.
    ///   - work: how long the work on it takes.
    ///   - upstream: the latency of a live source; nil when frames may come ahead of their time.
    package mutating func lateness(of time: Int64, now: Int64, work: Int64, upstream: Int64?) -> Int64? {
        let late = offset.map { offset in
            // A pipeline that grants a live source's frames less time than the work takes shows all of them late:
            // then only those count that are late already.
            let granted = upstream.map { max(0, 0 &- offset &- $0) } ?? work
            return now &+ offset &+ min(work, granted) &- time
        }
        // When time has jumped back, a second behind the last frame may be far off.
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
