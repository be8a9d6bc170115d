/// Measures the time from one frame of a stream to the next.
package struct FrameClock: Sendable {
    /// Assumed time between frames whose times do not tell it, in seconds.
    private static let usualStep = 1.0 / 30

    private var last: UInt64?

    /// Creates a clock that has seen no frame.
    package init() {}

    /// Returns the seconds since the last frame, for a frame shown at `time` (nanoseconds).
    package mutating func step(to time: UInt64?) -> Double {
        defer { last = time }
        guard let time, let last, time > last else { return Self.usualStep }
        return Double(time - last) / 1e9
    }

    /// Handles a frame that does not follow the last one.
    package mutating func interrupt() { last = nil }
}
