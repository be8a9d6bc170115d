import Glibc

/// Takes out of a fitted rotation what the landmark model gets wrong in the same way for everybody.
///
/// The model learned mostly frontal faces. It draws a turned head as if it were bowed less than it is, and
/// tilted against the turn. Both errors grow with yaw; the shares were measured on heads of known pose and
/// halve the error of roll beyond 30 degrees. They are odd or even in yaw, so that a mirrored face gets the mirrored
/// angles.
package enum PoseCalibration {
    /// What is missing of the pitch, per radian of it, at `quarter` of yaw.
    private static let missingPitch = 0.25
    /// 45 degrees.
    private static let quarter = Double.pi / 4
    /// What the head is tilted too much, per radian of yaw.
    private static let tilt = 0.1
    /// Beyond 60 degrees nothing was measured.
    private static let farthest = Double.pi / 3

    /// The rotation that the head really has, of which `rotation` was fitted.
    package static func corrected(_ rotation: Rotation) -> Rotation {
        let pose = HeadPose(rotation)
        let yaw = min(max(pose.yaw, -farthest), farthest)
        let nod = missingPitch * pose.pitch * abs(yaw) / quarter
        // Around the horizontal and the line of sight, as they are for the upright head.
        var corrected = rotation
        corrected.rotate(by: SIMD3(nod * cos(pose.roll), nod * sin(pose.roll), -tilt * yaw))
        return corrected
    }
}

extension PoseFitter.Fit {
    /// The same fit with the rotation that the head really has.
    var calibrated: PoseFitter.Fit {
        var fit = self
        fit.rotation = PoseCalibration.corrected(rotation)
        return fit
    }
}
