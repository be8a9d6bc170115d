import Imaging

/// Finds the landmarks of every head in the mirrored picture as well, and takes the middle of both rotations.
///
/// The landmark model's errors differ between heads turned left and turned right, and change with noise; the
/// middle of both halves what differs. What is wrong in both alike is left to `PoseCalibration`.
struct FlipAugmentation {
    private var mesh = FaceMesh()
    /// The presence from which the mirrored result counts, 0...1: the model's own limit for a face.
    private static let leastPresence = 0.5

    /// - Parameter fit: of `face`.
    /// - Returns: the same with the middle rotation; unchanged when no face is found in the mirrored picture.
    mutating func refined(
        _ fit: PoseFitter.Fit, _ face: AlignedFace, in frame: UprightFrame, _ models: FaceModels,
        _ fitter: PoseFitter, _ camera: PoseFitter.Camera
    ) throws(VisionError) -> PoseFitter.Fit {
        var crop = models.landmarker.crop(of: face.mesh)
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
