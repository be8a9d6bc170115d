package import Imaging

/// The motion of a thing's points since the frame before, in the image and in space.
package struct LandmarkSteps {
    private let steps: [SIMD2<Double>]
    /// The motion of the place where the space has its origin, in pixels.
    private let middle: SIMD2<Double>
    private let metresPerPixel: Double

    /// Creates the motion of points.
    ///
    /// - Parameters:
    ///   - steps: their motion in pixels, one for each point.
    ///   - origin: the points in whose middle the space has its origin.
    ///   - metresPerPixel: the size of the thing in metres by that in pixels.
    package init(_ steps: [SIMD2<Double>], origin: some Collection<Int>, metresPerPixel: Double) {
        (self.steps, self.metresPerPixel) = (steps, metresPerPixel)
        middle = origin.reduce(SIMD2()) { $0 + steps[$1] } / Double(max(1, origin.count))
    }

    /// The motion of the place where the space has its origin, in pixels.
    package var ofOrigin: Point { Point(x: middle.x, y: middle.y) }

    /// Returns the motion of a point in pixels.
    package func image(_ index: Int) -> SIMD3<Double> { SIMD3(steps[index].x, steps[index].y, 0) }

    /// Returns the motion of a point in metres, y up: across the line of sight, as far as it differs from the origin's.
    package func world(_ index: Int) -> SIMD3<Double> {
        let step = (steps[index] - middle) * metresPerPixel
        return SIMD3(step.x, -step.y, 0)
    }

    /// Moves points in the image and in space.
    package func move(_ points: inout [SIMD3<Double>], _ positions: inout [SIMD3<Double>]) {
        for index in points.indices {
            points[index] += image(index)
            positions[index] += world(index)
        }
    }
}
