import Glibc

/// Corrects the systematic error of rotations that were fitted to the landmark model's points.
///
/// On turned heads the points give too small a pitch, and a roll against the turn. Both errors grow with yaw;
/// the shares were measured on heads of known pose and halve the error of roll beyond 30 degrees. They are odd
/// or even in yaw, so that a mirrored face gets the mirrored angles.
package enum PoseCalibration {
    /// Share of the pitch that is missing at `quarter` of yaw.
    private static let missingPitch = 0.25
    /// 45 degrees, in radians.
    private static let quarter = Double.pi / 4
    /// Error of roll, in radians per radian of yaw.
    private static let tilt = 0.1
    /// 60 degrees, in radians; beyond it nothing was measured.
    private static let farthest = Double.pi / 3

    /// The head's rotation, where `rotation` was fitted to its points.
    package static func corrected(_ rotation: Rotation) -> Rotation {
        let pose = HeadPose(rotation)
        let yaw = min(max(pose.yaw, -farthest), farthest)
        let nod = missingPitch * pose.pitch * abs(yaw) / quarter
        // Around the horizontal axis and the line of sight of the upright head.
        var corrected = rotation
        corrected.rotate(by: SIMD3(nod * cos(pose.roll), nod * sin(pose.roll), -tilt * yaw))
        return corrected
    }
}

extension PoseFitter.Fit {
    /// The same fit with the corrected rotation.
    var calibrated: PoseFitter.Fit {
        var fit = self
        fit.rotation = PoseCalibration.corrected(rotation)
        return fit
    }
}
