/// How long an element works on a frame, and what of that it tells its pipeline as its latency.
///
/// Times are in nanoseconds.
package struct ProcessingTime: Sendable {
    /// Frames that are looked back on.
    ///
    /// Enough for two of every eighth, and few: a sink that waits too long holds up every frame until they are over.
    /// Fewer than 64 are sorted without memory of their own.
    private static let window = 16
    /// Changes below this are not worth a message, after which every sink of a pipeline waits again: the lateness
    /// that GStreamer's video sinks accept.
    private static let minimumChange: UInt64 = 5_000_000
    /// Less is not reported: GStreamer's video sinks allow as much for processing (`processing-deadline`).
    private static let allowed: UInt64 = 15_000_000

    /// The latency that the element answers for.
    package private(set) var latency: UInt64 = 0
    /// What a frame usually takes: the median.
    package private(set) var usual: UInt64 = 0
    private var times: [UInt64] = []
    private var next = 0
    private var isFirst = true

    package init() { times.reserveCapacity(Self.window) }

    /// Takes note of a frame; true when `latency` has changed.
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

    /// Sets `usual` and returns the second longest time: one frame may be late, for whatever the machine did meanwhile.
    private mutating func summarize() -> UInt64 {
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: times.count) { memory in
            var sorted = memory
            _ = sorted.initialize(from: times)
            sorted.sort()
            usual = sorted[sorted.count / 2]
            return sorted[sorted.count - 2]
        }
    }

    /// More is told at once, less only when it is less by half and has been for the whole window.
    private mutating func follow(_ needed: UInt64) -> Bool {
        let rises = needed > latency + max(Self.minimumChange, latency / 4)
        let falls = times.count == Self.window && needed < latency / 2
        guard falls || rises && needed > Self.allowed else { return false }
        latency = needed > Self.allowed ? needed : 0
        return true
    }
}
