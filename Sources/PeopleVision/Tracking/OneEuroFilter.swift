/// A low-pass filter whose cutoff rises with speed: little jitter at rest, little lag in motion
/// (Casiez, Roussel and Vogel, "1 Euro Filter", CHI 2012).
package struct OneEuroFilter {
    /// Cutoff at rest, in hertz.
    var minimumCutoff: Double
    /// How much the cutoff rises, in hertz per unit of speed.
    var beta: Double
    /// Cutoff for the speed itself, in hertz.
    var speedCutoff = 1.0

    private var value: Double?
    private var speed = 0.0

    package init(minimumCutoff: Double, beta: Double) {
        self.minimumCutoff = minimumCutoff
        self.beta = beta
    }

    /// The filtered value of a sample that came `interval` seconds after the last one.
    package mutating func filter(_ sample: Double, interval: Double) -> Double {
        guard let last = value, interval > 0, interval.isFinite else {
            value = sample
            speed = 0
            return sample
        }
        let newSpeed = (sample - last) / interval
        speed += Self.share(speedCutoff, interval) * (newSpeed - speed)
        let filtered = last + Self.share(minimumCutoff + beta * abs(speed), interval) * (sample - last)
        value = filtered
        return filtered
    }

    /// Goes on as if all samples had been higher by `offset`, as angles that wrap around need it.
    mutating func shift(by offset: Double) {
        if let last = value { value = last + offset }
    }

    /// The last filtered value.
    var current: Double? { value }

    /// Weight of a new sample in a first-order low-pass filter.
    private static func share(_ cutoff: Double, _ interval: Double) -> Double {
        let rate = 2 * Double.pi * cutoff * interval
        return rate / (rate + 1)
    }
}
