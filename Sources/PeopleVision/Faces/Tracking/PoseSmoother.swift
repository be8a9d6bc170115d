/// Smooths the angles of one face over a stream.
package struct PoseSmoother {
    private var roll = Self.makeFilter()
    private var yaw = Self.makeFilter()
    private var pitch = Self.makeFilter()

    package init() {}

    /// Cutoff at rest in hertz: noise of the landmarks is faster, slow turns are slower.
    private static let minimumCutoff = 1.5
    /// Rise of the cutoff in hertz per radian a second: a turn of a radian a second is hardly delayed.
    private static let beta = 10.0

    private static func makeFilter() -> OneEuroFilter {
        OneEuroFilter(minimumCutoff: minimumCutoff, beta: beta)
    }

    /// The smoothed `pose`, which was measured `interval` seconds after the last one.
    package mutating func smooth(_ pose: HeadPose, interval: Double) -> HeadPose {
        var smooth = pose
        smooth.roll = Self.pass(pose.roll, &roll, interval)
        smooth.yaw = Self.pass(pose.yaw, &yaw, interval)
        smooth.pitch = Self.pass(pose.pitch, &pitch, interval)
        return smooth
    }

    /// Angles wrap around: the filter's value is shifted by whole turns, so that it takes the shorter way.
    private static func pass(_ angle: Double, _ filter: inout OneEuroFilter, _ interval: Double) -> Double {
        if let last = filter.current {
            filter.shift(by: angle - HeadPose.wrapped(angle - last) - last)
        }
        return HeadPose.wrapped(filter.filter(angle, interval: interval))
    }
}
