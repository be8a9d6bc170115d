/// The time that an element works on a frame, and the latency that it reports because of it.
///
/// Times are in nanoseconds.
package struct ProcessingTime: Sendable {
    /// Number of frames whose times are kept.
    ///
    /// The number is large enough to contain two slow frames if every eighth is slow. It is small because a
    /// sink that waits too long delays every frame until the long times are over. Up to 63 times are sorted
    /// without memory of their own.
    private static let window = 16
    /// Smallest change that is reported, since every sink of a pipeline waits again after the message: the
    /// lateness that GStreamer's video sinks accept.
    private static let minimumChange: UInt64 = 5_000_000
    /// Longest time that is not reported: GStreamer's video sinks allow as much for processing
    /// (`processing-deadline`).
    private static let allowed: UInt64 = 15_000_000

    /// The latency that the element reports.
    package private(set) var latency: UInt64 = 0
    /// Median time of a frame.
    package private(set) var usual: UInt64 = 0
    private var times: [UInt64] = []
    private var next = 0
    private var isFirst = true

    package init() { times.reserveCapacity(Self.window) }

    /// Adds the time of a frame; returns whether `latency` has changed.
    package mutating func add(_ time: UInt64) -> Bool {
        // The first frame is slower: memory and caches are cold.
        guard !isFirst else {
            isFirst = false
            return false
        }
        if times.count < Self.window { times.append(time) } else { times[next] = time }
        next = (next + 1) % Self.window
        guard times.count > 1 else { return false }
        let longest = summarize()
        return follow(longest + longest / 4)
    }

    /// Sets `usual`, and returns the second longest time: one frame may be late because of other work of the
    /// machine.
    private mutating func summarize() -> UInt64 {
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: times.count) { memory in
            var sorted = memory
            _ = sorted.initialize(from: times)
            sorted.sort()
            usual = sorted[sorted.count / 2]
            return sorted[sorted.count - 2]
        }
    }

    /// Raises the latency at once, and lowers it only if half has been enough for the whole window.
    private mutating func follow(_ needed: UInt64) -> Bool {
        let rises = needed > latency + max(Self.minimumChange, latency / 4)
        let falls = times.count == Self.window && needed < latency / 2
        guard falls || rises && needed > Self.allowed else { return false }
        latency = needed > Self.allowed ? needed : 0
        return true
    }
}
