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

/// Smooths landmarks over a stream, in the image and in space.
package struct LandmarkSmoother {
    /// x and y of each point in the image, then x, y and z of each in space.
    private var image: [OneEuroFilter]
    private var world: [OneEuroFilter]
    /// Size of what the points belong to, in metres.
    private let worldSize: Double

    /// A smoother of `count` points of something of `worldSize` metres.
    package init(count: Int, worldSize: Double) {
        let filter = OneEuroFilter(minimumCutoff: Self.lowestCutoff, beta: Self.beta)
        image = [OneEuroFilter](repeating: filter, count: 2 * count)
        world = [OneEuroFilter](repeating: filter, count: 3 * count)
        self.worldSize = worldSize
    }

    /// Cutoff at rest in hertz at a smoothing of 1; half of the smoothing doubles it.
    static let lowestCutoff = 0.75
    /// Rise of the cutoff in hertz per size of the thing a second: at one a second practically everything passes.
    static let beta = 20.0

    /// Smooths points measured `interval` seconds after the last ones.
    ///
    /// - Parameters:
    ///   - points: x and y in pixels, and a third value, which stays.
    ///   - positions: as many, in metres.
    ///   - size: of the thing in the image, in pixels.
    ///   - strength: 0...1; 0 leaves the points as they are.
    package mutating func smooth(
        _ points: inout [SIMD3<Double>], _ positions: inout [SIMD3<Double>], size: Double, interval: Double,
        strength: Double
    ) {
        guard strength > 0, size > 0, points.count * 2 == image.count, positions.count == points.count
        else { return }
        let cutoff = Self.lowestCutoff / min(strength, 1)
        for index in points.indices {
            for axis in 0..<2 {
                let place = 2 * index + axis
                image[place].minimumCutoff = cutoff
                image[place].beta = Self.beta / size
                points[index][axis] = image[place].filter(points[index][axis], interval: interval)
            }
            for axis in 0..<3 {
                let place = 3 * index + axis
                world[place].minimumCutoff = cutoff
                world[place].beta = Self.beta / worldSize
                positions[index][axis] = world[place].filter(positions[index][axis], interval: interval)
            }
        }
    }
}
