import Imaging

/// Estimates the rotation of a head from its landmarks: a fit, averaged with that of the mirrored picture,
/// and corrected by the calibration.
final class HeadPoseEstimator {
    private let fitter = PoseFitter()
    private var mesh = FaceMesh()
    /// The presence from which points count, 0...1: the models' own limit for a face.
    private static let leastPresence = 0.5

    /// For a picture by itself, whose points are those of the full landmark model.
    ///
    /// - Returns: nil when the landmarks span no face.
    func fit(
        _ face: AlignedFace, in frame: UprightFrame, _ models: FaceModels, _ camera: Camera
    ) throws(VisionError) -> PoseFitter.Fit? {
        var correction = PoseCorrection()
        return try fit(face, in: frame, models, camera, followedBy: nil, &correction)
    }

    /// For the first picture of a stream: as for one by itself, and `correction` learns what those that follow lack.
    ///
    /// - Parameter landmarker: the model that follows the faces.
    func fit(
        _ face: AlignedFace, in frame: UprightFrame, _ models: FaceModels, _ camera: Camera,
        followedBy landmarker: FaceLandmarker?, _ correction: inout PoseCorrection
    ) throws(VisionError) -> PoseFitter.Fit? {
        guard var fit = fitter.fit(face.mesh.points, camera: camera) else { return nil }
        let mirrored = try mirroredRotation(of: face, in: frame, models.landmarker, camera)
        if let landmarker, let followed = try rotation(of: face, in: frame, landmarker, camera) {
            correction.learn(fit.rotation, .direct, from: followed)
            correction.learn(mirrored, .mirrored, from: followed)
        }
        if let middle = mirrored.flatMap({ fit.rotation.middle(to: $0) }) { fit.rotation = middle }
        return fit.calibrated
    }

    /// For a face that is followed.
    ///
    /// - Parameters:
    ///   - isFull: whether its points are those of the full landmark model.
    ///   - looksCloser: whether `correction` is to learn something new.
    func fit(
        _ face: AlignedFace, in frame: UprightFrame, _ models: FaceModels, _ camera: Camera,
        isFull: Bool, looksCloser: Bool, _ correction: inout PoseCorrection
    ) throws(VisionError) -> PoseFitter.Fit? {
        guard var fit = fitter.fit(face.mesh.points, camera: camera) else { return nil }
        let followed = fit.rotation
        // The points are as exact as a direct look already.
        if isFull, correction.next == .direct { correction.learn(followed, .direct, from: followed) }
        if looksCloser {
            let exact =
                switch correction.next {
                case .direct: try rotation(of: face, in: frame, models.closeLandmarker, camera)
                case .mirrored: try mirroredRotation(of: face, in: frame, models.closeLandmarker, camera)
                }
            correction.learn(exact, correction.next, from: followed)
        }
        fit.rotation = correction.corrected(followed)
        return fit.calibrated
    }

    /// The rotation that another landmark model's points give; nil when it finds none.
    private func rotation(
        of face: AlignedFace, in frame: UprightFrame, _ landmarker: FaceLandmarker,
        _ camera: Camera
    ) throws(VisionError) -> Rotation? {
        try rotation(in: frame, landmarker.crop(of: face.mesh), landmarker, camera)
    }

    /// The rotation that the mirrored picture gives, mirrored back; nil when no face is found there.
    ///
    /// Flip augmentation: the landmark model's errors differ between heads turned left and turned right, and change with
    /// noise; the middle of both rotations halves what differs. What is wrong in both alike is left to
    /// `PoseCalibration`.
    private func mirroredRotation(
        of face: AlignedFace, in frame: UprightFrame, _ landmarker: FaceLandmarker,
        _ camera: Camera
    ) throws(VisionError) -> Rotation? {
        let crop = landmarker.crop(of: face.mesh).mirrored(width: frame.size.width)
        return try rotation(in: frame.mirrored, crop, landmarker, camera)?.mirrored
    }

    private func rotation(
        in frame: UprightFrame, _ crop: RotatedSquare, _ landmarker: FaceLandmarker,
        _ camera: Camera
    ) throws(VisionError) -> Rotation? {
        let presence = try landmarker.find(in: frame, crop, into: &mesh)
        guard presence >= Self.leastPresence else { return nil }
        return fitter.fit(mesh.points, camera: camera)?.rotation
    }
}
