/// Steadies how far away the points of a body are measured to be over a stream, as `LandmarkSmoother` does their places in
/// the picture.
package struct DistanceSmoother {
    private var filters = [OneEuroFilter](repeating: unused, count: BodyLandmarks.pointCount)

    private static let unused = OneEuroFilter(
        minimumCutoff: LandmarkSmoother.lowestCutoff, beta: LandmarkSmoother.beta / BodyLandmarks.height)

    package init() {}

    /// Smooths what was measured `interval` seconds after the last points; allocates nothing.
    ///
    /// Each point stays on its line of sight, on which the picture has it.
    ///
    /// - Parameters:
    ///   - points: in metres from the camera; z is negative.
    ///   - strength: 0...1; 0 leaves the points as they are.
    package mutating func smooth(_ points: inout [SIMD3<Double>], interval: Double, strength: Double) {
        guard strength > 0, points.count == filters.count else { return }
        for index in points.indices where points[index].z < 0 {
            filters[index].minimumCutoff = LandmarkSmoother.lowestCutoff / min(strength, 1)
            let distance = filters[index].filter(-points[index].z, interval: interval)
            points[index] *= distance / -points[index].z
        }
    }

    /// The next points have nothing to do with the last ones.
    package mutating func reset() {
        for index in filters.indices { filters[index] = Self.unused }
    }
}
