/// The usual time of repeated work, in seconds: a mean of about four times, so that a change of scene or load shows soon.
struct UsualTime {
    /// The mean; nil before the first time.
    private(set) var seconds: Double?

    /// Adds the time since `start`.
    mutating func add(since start: ContinuousClock.Instant) {
        let time = (ContinuousClock.now - start) / .seconds(1)
        seconds = seconds.map { $0 + (time - $0) / 4 } ?? time
    }
}
