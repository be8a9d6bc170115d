/// Estimates the rotation of a head from its landmarks: a fit, averaged with that of the mirrored picture,
/// and corrected by the calibration.
final class HeadPoseEstimator {
    private let fitter = PoseFitter()
    private var flip = FlipAugmentation()

    /// - Returns: nil when the landmarks span no face.
    func fit(
        _ face: AlignedFace, in frame: UprightFrame, _ models: FaceModels, _ camera: PoseFitter.Camera
    ) throws(VisionError) -> PoseFitter.Fit? {
        guard let fit = fitter.fit(face.mesh.points, camera: camera) else { return nil }
        return try flip.refined(fit, face, in: frame, models, fitter, camera).calibrated
    }
}
