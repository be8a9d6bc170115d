/// Steadies the angles of one face over a stream.
package struct PoseSmoother {
    private var roll = Self.makeFilter()
    private var yaw = Self.makeFilter()
    private var pitch = Self.makeFilter()

    package init() {}

    /// At rest a few hertz pass; at one radian per second practically everything does.
    private static func makeFilter() -> OneEuroFilter { OneEuroFilter(minimumCutoff: 1.5, beta: 10) }

    /// The pose to show for `pose`, measured `interval` seconds after the last one.
    package mutating func smooth(_ pose: HeadPose, interval: Double) -> HeadPose {
        var smooth = pose
        smooth.roll = Self.pass(pose.roll, &roll, interval)
        smooth.yaw = Self.pass(pose.yaw, &yaw, interval)
        smooth.pitch = Self.pass(pose.pitch, &pitch, interval)
        return smooth
    }

    /// Angles come round: the filter is led along the shorter way.
    private static func pass(_ angle: Double, _ filter: inout OneEuroFilter, _ interval: Double) -> Double {
        if let last = filter.current {
            filter.shift(by: angle - HeadPose.wrapped(angle - last) - last)
        }
        return HeadPose.wrapped(filter.filter(angle, interval: interval))
    }
}
