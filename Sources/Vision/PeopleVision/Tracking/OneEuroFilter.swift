/// A low-pass filter whose cutoff rises with speed: little jitter at rest, little lag in motion
/// (Casiez, Roussel and Vogel, "1 Euro Filter", CHI 2012).
///
/// Unlike in the paper, the cutoff does not rise for speeds that the noise of the samples explains, and the coordinates of a
/// point have one cutoff, so that all directions are the same.
package struct OneEuroFilter {
    /// Cutoff at rest, in hertz.
    var minimumCutoff: Double
    /// Rise of the cutoff, in hertz per unit of speed.
    var beta: Double
    /// The speed from which on the cutoff rises, as a multiple of the mean speed that noise alone would have.
    var noiseTolerance: Double
    /// Cutoff for the speed itself, in hertz (the paper's value).
    private static let speedCutoff = 1.0
    /// Share of the time in which the state moved along that counts for the weight of the next sample.
    ///
    /// The samples have to correct less then. With 0.75 the shoulders of still people jitter as samples of every frame do;
    /// with 0 points lag more (docs/experiments/2026-11-27-moved-landmarks.md).
    private static let movedShare = 0.25

    private var value: SIMD3<Double>?
    private var velocity = SIMD3<Double>()
    private var noise = SampleNoise()
    /// The motion that `move` was told since the last sample, and its seconds.
    private var (moved, waited) = (SIMD3<Double>(), 0.0)

    package init(minimumCutoff: Double, beta: Double, noiseTolerance: Double = 0) {
        (self.minimumCutoff, self.beta, self.noiseTolerance) = (minimumCutoff, beta, noiseTolerance)
    }

    /// Returns the filtered value of a single number that came `interval` seconds after the last one.
    package mutating func filter(_ sample: Double, interval: Double) -> Double {
        filter(SIMD3(sample, 0, 0), interval: interval).x
    }

    /// Returns the filtered value of a sample that came `interval` seconds after the last one.
    package mutating func filter(_ sample: SIMD3<Double>, interval: Double) -> SIMD3<Double> {
        defer { (moved, waited) = (SIMD3(), 0) }
        let interval = interval + waited
        guard let last = value, interval > 0, interval.isFinite else {
            (value, velocity, noise) = (sample, SIMD3(), SampleNoise(sample))
            return sample
        }
        noise.add(sample, interval: interval)
        let share = Self.share(Self.speedCutoff, interval)
        velocity += share * ((sample - last + moved) / interval - velocity)
        // A low-pass leaves this part of the standard deviation of white noise.
        let passed = (share / (2 - share)).squareRoot()
        let noiseSpeed = interval <= SampleNoise.maximumInterval ? passed * noise.size / interval : 0
        let cutoff = minimumCutoff + beta * max(0, velocity.length - noiseTolerance * noiseSpeed)
        let counted = interval - (1 - Self.movedShare) * waited
        let filtered = last + Self.share(cutoff, counted) * (sample - last)
        value = filtered
        return filtered
    }

    /// Moves the filter's state along with a thing that has moved by `offset` in `interval` seconds without a sample.
    package mutating func move(by offset: SIMD3<Double>, interval: Double) {
        shift(by: offset)
        moved += offset
        if interval > 0 { waited += interval }
    }

    /// Shifts the filter's state by `offset`, as angles that wrap around need it.
    mutating func shift(by offset: Double) { shift(by: SIMD3(offset, 0, 0)) }

    private mutating func shift(by offset: SIMD3<Double>) {
        guard let last = value else { return }
        value = last + offset
        noise.shift(by: offset)
    }

    /// The last filtered value of a single number.
    package var current: Double? { value?.x }

    /// Returns the weight of a new sample in a first-order low-pass filter.
    fileprivate static func share(_ cutoff: Double, _ interval: Double) -> Double {
        let rate = 2 * Double.pi * cutoff * interval
        return rate / (rate + 1)
    }
}

/// An estimate of the noise of samples that lie on a smooth path.
///
/// It is the mean distance of a sample from the line through the two samples before it. Motion of a hertz
/// hardly bends a path from one frame to the next; noise does.
private struct SampleNoise {
    private var last = SIMD3<Double>()
    private var beforeLast = SIMD3<Double>()
    private var mean = 0.0
    private var count = 1.0

    /// Seconds between samples over which motion bends a path as much as noise does.
    static let maximumInterval = 0.15
    /// Cutoff of the mean in hertz, about a second: noise changes with the content of the image.
    private static let cutoff = 0.15
    /// Variance of the difference between a sample and its prediction from two others, in variances of one
    /// sample: 1 + 4 + 1.
    private static let variances = 6.0

    init(_ first: SIMD3<Double> = SIMD3()) { (last, beforeLast) = (first, first) }

    /// Mean distance of a sample from its place without noise.
    var size: Double { mean / Self.variances.squareRoot() }

    mutating func add(_ sample: SIMD3<Double>, interval: Double) {
        count += 1
        let bend = (sample - 2 * last + beforeLast).length
        mean += max(OneEuroFilter.share(Self.cutoff, interval), 1 / count) * (bend - mean)
        (last, beforeLast) = (sample, last)
    }

    mutating func shift(by offset: SIMD3<Double>) {
        last += offset
        beforeLast += offset
    }
}

/// Smooths landmarks over a stream, in the image and in space.
package struct LandmarkSmoother {
    private var image: [OneEuroFilter]
    private var world: [OneEuroFilter]
    /// Size of the thing that the points belong to, in metres.
    private let worldSize: Double

    /// Creates a smoother of `count` points of a thing of `worldSize` metres.
    package init(count: Int, worldSize: Double) {
        image = [OneEuroFilter](repeating: .ofLandmarks, count: count)
        world = image
        self.worldSize = worldSize
    }

    /// Smooths points measured `interval` seconds after the last ones.
    ///
    /// - Parameters:
    ///   - points: x and y in pixels, and a third value, which stays.
    ///   - positions: as many positions in space, in metres.
    ///   - size: size of the thing in the image, in pixels.
    ///   - strength: 0...1; 0 leaves the points as they are.
    package mutating func smooth(
        _ points: inout [SIMD3<Double>], _ positions: inout [SIMD3<Double>], size: Double, interval: Double,
        strength: Double
    ) {
        guard strength > 0, size > 0, points.count == image.count, positions.count == image.count else {
            return
        }
        for index in points.indices {
            image[index].tune(size: size, strength: strength)
            world[index].tune(size: worldSize, strength: strength)
            let place = SIMD3(points[index].x, points[index].y, 0)
            let smooth = image[index].filter(place, interval: interval)
            points[index] = SIMD3(smooth.x, smooth.y, points[index].z)
            positions[index] = world[index].filter(positions[index], interval: interval)
        }
    }

    /// Moves along with points in a frame in which they are not measured, `interval` seconds after the last one.
    package mutating func move(by steps: LandmarkSteps, interval: Double) {
        for index in image.indices {
            image[index].move(by: steps.image(index), interval: interval)
            world[index].move(by: steps.world(index), interval: interval)
        }
    }
}

/// The filter of a landmark.
///
/// Its constants are from the curve in docs/experiments/2026-11-24-landmark-filter.md.
extension OneEuroFilter {
    /// Cutoff at rest in hertz at a smoothing of 1; half of the smoothing doubles it.
    private static let lowestCutoff = 0.05
    /// Rise of the cutoff in hertz, per speed of one size of the thing a second.
    private static let landmarkBeta = 200.0
    /// The tolerance at a smoothing of 1; half of the smoothing halves it.
    private static let highestTolerance = 3.5

    /// The filter of a landmark before it is tuned; `tune` is called before each sample.
    static let ofLandmarks = OneEuroFilter(minimumCutoff: lowestCutoff, beta: landmarkBeta)

    /// Adapts the filter to the size of a thing.
    ///
    /// - Parameters:
    ///   - size: size of the thing, in units of the samples.
    ///   - strength: smoothing, above 0...1.
    mutating func tune(size: Double, strength: Double) {
        let strength = min(strength, 1)
        minimumCutoff = Self.lowestCutoff / strength
        beta = Self.landmarkBeta / size
        noiseTolerance = Self.highestTolerance * strength
    }
}

/// Exponential moving average of a model's confidence in a followed thing, 0...1.
///
/// Single images leave doubts.
package struct ConfidenceMean {
    package private(set) var value: Double

    /// Weight of the past in the mean.
    private static let pastWeight = 0.8
    /// Presence, 0...1, below which the thing is gone and the past no longer counts.
    private static let minimumPresence = 0.1

    /// Creates a mean.
    ///
    /// - Parameter first: confidence in the first frame.
    package init(_ first: Double) { value = first }

    /// Adds the confidence in the next frame to the mean.
    package mutating func add(_ confidence: Double) { value = mean(with: confidence) }

    /// Adds the presence in the next frame to the mean; a presence that says that nothing is there replaces
    /// the mean.
    package mutating func add(presence: Double) { value = mean(withPresence: presence) }

    /// Returns the mean as it would be after `add(presence:)`.
    package func mean(withPresence presence: Double) -> Double {
        presence >= Self.minimumPresence ? mean(with: presence) : presence
    }

    private func mean(with confidence: Double) -> Double {
        Self.pastWeight * value + (1 - Self.pastWeight) * confidence
    }
}
