import Imaging

/// Looks at every head once more in the mirror, and takes the middle of what both looks say.
///
/// The landmark model errs otherwise on a head that is turned left than on one that is turned right, and
/// otherwise with every speck of noise; what it does to both alike is left to `PoseCalibration`.
struct MirrorLook {
    private var mesh = FaceMesh()
    /// The presence that makes a look count.
    private static let leastPresence = 0.5

    /// - Parameter fit: of `look`.
    /// - Returns: the same with the middle rotation.
    mutating func refined(
        _ fit: PoseFitter.Fit, _ look: FaceInspector.Look, in frame: UprightFrame, _ models: FaceModels,
        _ fitter: PoseFitter, _ camera: PoseFitter.Camera
    ) throws(VisionError) -> PoseFitter.Fit {
        var crop = models.landmarker.crop(of: look.mesh)
        crop = RotatedSquare(
            center: Point(x: frame.size.width - crop.center.x, y: crop.center.y), side: crop.side,
            angle: -crop.angle)
        let presence = try models.landmarker.find(in: frame.mirrored, crop, into: &mesh)
        guard presence >= Self.leastPresence, let other = fitter.fit(mesh.points, camera: camera),
            let rotation = fit.rotation.middle(to: other.rotation.mirrored)
        else { return fit }
        var refined = fit
        refined.rotation = rotation
        return refined
    }
}
