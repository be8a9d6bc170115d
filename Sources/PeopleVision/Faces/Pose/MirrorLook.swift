import Imaging

/// Looks at a turned head once more in the mirror, and takes the middle of what both looks say.
///
/// The landmark model errs otherwise on a head that is turned left than on one that is turned right; what
/// it does to both alike is left to `PoseCalibration`.
package struct MirrorLook {
    private var mesh = FaceMesh()
    /// Up to here, in radians, the second look is spared: it changes little.
    private static let least = 10 * Double.pi / 180
    /// From here on both looks count alike.
    private static let whole = 25 * Double.pi / 180
    /// The presence that makes a look count.
    private static let leastPresence = 0.5

    /// - Parameter fit: of `look`.
    /// - Returns: the same with the middle rotation.
    mutating func refined(
        _ fit: PoseFitter.Fit, _ look: FaceInspector.Look, in frame: UprightFrame, _ models: FaceModels,
        _ fitter: PoseFitter, _ camera: PoseFitter.Camera
    ) throws(VisionError) -> PoseFitter.Fit {
        let share = Self.share(atYaw: HeadPose(fit.rotation).yaw)
        guard share > 0 else { return fit }
        var crop = models.landmarker.crop(of: look.mesh)
        crop = FaceCrop(
            center: Point(x: frame.size.width - crop.center.x, y: crop.center.y), side: crop.side,
            angle: -crop.angle)
        let presence = try models.landmarker.find(in: frame.mirrored, crop, into: &mesh)
        guard presence >= Self.leastPresence, let other = fitter.fit(mesh.points, camera: camera),
            let rotation = fit.rotation.blended(with: other.rotation.mirrored, share: share)
        else { return fit }
        var refined = fit
        refined.rotation = rotation
        return refined
    }

    /// What the second look counts: nothing for frontal heads, and more from there on without a jump.
    package static func share(atYaw yaw: Double) -> Double {
        min(max((abs(yaw) - least) / (whole - least), 0), 1) / 2
    }
}
