/// Steadies the points of one body over a stream.
package struct BodySmoother {
    /// x and y of each point in the picture, then x, y and z of each in space.
    private var picture = [OneEuroFilter](repeating: makeFilter(), count: 2 * BodyLandmarks.pointCount)
    private var world = [OneEuroFilter](repeating: makeFilter(), count: 3 * BodyLandmarks.pointCount)

    package init() {}

    /// Cutoff at rest in hertz at a smoothing of 1; half of the smoothing doubles it.
    private static let lowestCutoff = 0.75
    /// Rise of the cutoff in hertz per body size a second: at one a second practically everything passes.
    private static let beta = 20.0
    /// The size of a body in space, in metres; in the picture it is that of its crop.
    private static let worldSize = 2.0

    private static func makeFilter() -> OneEuroFilter {
        OneEuroFilter(minimumCutoff: lowestCutoff, beta: beta)
    }

    /// Smooths points measured `interval` seconds after the last ones.
    ///
    /// - Parameter strength: 0...1; 0 leaves the points as they are.
    package mutating func smooth(_ body: inout BodyLandmarks, interval: Double, strength: Double) {
        guard strength > 0, body.crop.side > 0 else { return }
        let cutoff = Self.lowestCutoff / min(strength, 1)
        for index in body.points.indices {
            for axis in 0..<2 {
                let place = 2 * index + axis
                picture[place].minimumCutoff = cutoff
                picture[place].beta = Self.beta / body.crop.side
                body.points[index][axis] = picture[place].filter(body.points[index][axis], interval: interval)
            }
            for axis in 0..<3 {
                let place = 3 * index + axis
                world[place].minimumCutoff = cutoff
                world[place].beta = Self.beta / Self.worldSize
                body.world[index][axis] = world[place].filter(body.world[index][axis], interval: interval)
            }
        }
    }
}
