import Glibc
import Imaging

/// Estimates the rotation of a head.
///
/// It fits the head to the landmarks, takes the mean with the fit in the mirrored image, and applies the
/// calibration.
final class HeadPoseEstimator {
    private let fitter = PoseFitter()
    private var mesh = FaceMesh()
    /// The minimum presence of landmarks, 0...1: the models' own limit for a face.
    private static let minimumPresence = 0.5

    /// Fits a face of a single image, whose landmarks are those of the full model.
    ///
    /// - Returns: nil when the landmarks span no face.
    func fit(
        _ face: AlignedFace, in frame: UprightFrame, _ models: FaceModels, _ camera: Camera
    ) throws(VisionError) -> PoseFitter.Fit? {
        var correction = PoseCorrection()
        return try fit(face, in: frame, models, camera, trackedBy: nil, &correction)
    }

    /// Fits a face of the first frame of a stream like one of a single image, and updates `correction`.
    ///
    /// - Parameter landmarker: the model that tracks the faces.
    func fit(
        _ face: AlignedFace, in frame: UprightFrame, _ models: FaceModels, _ camera: Camera,
        trackedBy landmarker: FaceLandmarker?, _ correction: inout PoseCorrection
    ) throws(VisionError) -> PoseFitter.Fit? {
        guard var fit = fitter.fit(face.mesh.points, camera: camera) else { return nil }
        let mirrored = try mirroredRotation(of: face, in: frame, models.landmarker, camera)
        if let landmarker, let tracked = try rotation(of: face, in: frame, landmarker, camera) {
            correction.update(fit.rotation, .direct, from: tracked)
            correction.update(mirrored, .mirrored, from: tracked)
        }
        if let middle = mirrored.flatMap({ fit.rotation.middle(to: $0) }) { fit.rotation = middle }
        return fit.calibrated
    }

    /// Fits a tracked face.
    ///
    /// - Parameters:
    ///   - isFull: whether the face's landmarks are those of the full model.
    ///   - updatesCorrection: whether `correction` is to be updated.
    func fit(
        _ face: AlignedFace, in frame: UprightFrame, _ models: FaceModels, _ camera: Camera,
        isFull: Bool, updatesCorrection: Bool, _ correction: inout PoseCorrection
    ) throws(VisionError) -> PoseFitter.Fit? {
        guard var fit = fitter.fit(face.mesh.points, camera: camera) else { return nil }
        let tracked = fit.rotation
        // The landmarks are already those of the reference.
        if isFull, correction.next == .direct { correction.update(tracked, .direct, from: tracked) }
        if updatesCorrection {
            let accurate =
                switch correction.next {
                case .direct: try rotation(of: face, in: frame, models.streamLandmarker, camera)
                case .mirrored: try mirroredRotation(of: face, in: frame, models.streamLandmarker, camera)
                }
            correction.update(accurate, correction.next, from: tracked)
        }
        fit.rotation = correction.corrected(tracked)
        return fit.calibrated
    }

    /// Returns the rotation from another model's landmarks; nil when the model finds no face.
    private func rotation(
        of face: AlignedFace, in frame: UprightFrame, _ landmarker: FaceLandmarker,
        _ camera: Camera
    ) throws(VisionError) -> Rotation? {
        try rotation(in: frame, landmarker.crop(of: face.mesh), landmarker, camera)
    }

    /// Returns the rotation from the mirrored image, mirrored back; nil when no face is found there.
    ///
    /// Flip augmentation: the landmark model's errors differ between heads turned left and turned right, and
    /// change with noise; the mean of both rotations halves the difference. `PoseCalibration` corrects the
    /// errors that both have in common.
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
        guard presence >= Self.minimumPresence else { return nil }
        return fitter.fit(mesh.points, camera: camera)?.rotation
    }
}

/// Corrects the systematic error of rotations that were fitted to the landmark model's points.
///
/// On turned heads the points give too small a pitch, and a roll against the turn. Both errors grow with yaw.
/// The shares were measured on heads of known pose; they halve the error of roll beyond 30 degrees. They are
/// odd or even in yaw, so that a mirrored face gets the mirrored angles.
package enum PoseCalibration {
    /// Share of the pitch that is missing at `quarter` of yaw.
    private static let missingPitch = 0.25
    /// 45 degrees, in radians.
    private static let quarter = Double.pi / 4
    /// Error of roll, in radians per radian of yaw.
    private static let tilt = 0.1
    /// 60 degrees, in radians; beyond it nothing was measured.
    private static let farthest = Double.pi / 3

    /// Returns the head's rotation, from one that was fitted to its points.
    package static func corrected(_ rotation: Rotation) -> Rotation {
        let pose = HeadPose(rotation)
        let yaw = min(max(pose.yaw, -farthest), farthest)
        let nod = missingPitch * pose.pitch * abs(yaw) / quarter
        // The axes are the horizontal axis and the line of sight of the upright head.
        var corrected = rotation
        corrected.rotate(by: SIMD3(nod * cos(pose.roll), nod * sin(pose.roll), -tilt * yaw))
        return corrected
    }
}

extension PoseFitter.Fit {
    /// This fit with the corrected rotation.
    var calibrated: PoseFitter.Fit {
        var fit = self
        fit.rotation = PoseCalibration.corrected(rotation)
        return fit
    }
}
