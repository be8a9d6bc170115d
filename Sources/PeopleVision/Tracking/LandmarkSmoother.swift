/// Smooths landmarks over a stream, in the picture and in space.
package struct LandmarkSmoother {
    /// x and y of each point in the picture, then x, y and z of each in space.
    private var picture: [OneEuroFilter]
    private var world: [OneEuroFilter]
    /// Size of what the points belong to, in metres.
    private let worldSize: Double

    /// A smoother of `count` points of something of `worldSize` metres.
    package init(count: Int, worldSize: Double) {
        let filter = OneEuroFilter(minimumCutoff: Self.lowestCutoff, beta: Self.beta)
        picture = [OneEuroFilter](repeating: filter, count: 2 * count)
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
    ///   - size: of the thing in the picture, in pixels.
    ///   - strength: 0...1; 0 leaves the points as they are.
    package mutating func smooth(
        _ points: inout [SIMD3<Double>], _ positions: inout [SIMD3<Double>], size: Double, interval: Double,
        strength: Double
    ) {
        guard strength > 0, size > 0, points.count * 2 == picture.count, positions.count == points.count
        else { return }
        let cutoff = Self.lowestCutoff / min(strength, 1)
        for index in points.indices {
            for axis in 0..<2 {
                let place = 2 * index + axis
                picture[place].minimumCutoff = cutoff
                picture[place].beta = Self.beta / size
                points[index][axis] = picture[place].filter(points[index][axis], interval: interval)
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
