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

/// The pose of a head, in radians; all angles are 0 when the head looks straight into the camera.
package struct HeadPose {
    /// Rotation in the image, -pi..<pi; positive when the head is turned counter-clockwise.
    package var roll: Double
    /// Rotation to the side, -pi/2...pi/2; positive when the nose points to the right of the image.
    package var yaw: Double
    /// Nod, -pi/2...pi/2; positive when the nose points down.
    package var pitch: Double

    /// Computes the angles of a rotation = Rz(roll) Ry(yaw) Rx(pitch) from head to camera.
    package init(_ rotation: Rotation) {
        let (x, y, z) = (rotation.x, rotation.y, rotation.z)
        yaw = asin(min(max(-x.z, -1), 1))
        // Beyond a right angle the face would be turned away from the camera: the fit is wrong.
        pitch = min(max(atan2(y.z, z.z), -.pi / 2), .pi / 2)
        roll = HeadPose.wrapped(atan2(x.y, x.x))
    }

    /// Returns the pose of a head of which only the rotation in the image is known.
    static func unknown(roll: Double) -> HeadPose {
        HeadPose(roll: roll.isFinite ? wrapped(roll) : 0, yaw: 0, pitch: 0)
    }

    package init(roll: Double, yaw: Double, pitch: Double) {
        self.roll = roll
        self.yaw = yaw
        self.pitch = pitch
    }

    /// Returns the angle of the same direction in -pi..<pi.
    package static func wrapped(_ angle: Double) -> Double {
        guard angle.isFinite else { return angle }
        let rotated = (angle + .pi).truncatingRemainder(dividingBy: 2 * .pi)
        return (rotated < 0 ? rotated + 2 * .pi : rotated) - .pi
    }
}

/// The difference between the rotation from the tracked landmarks and a more accurate one.
///
/// The more accurate rotation comes from the landmarks of the full model, or of the mirrored image. It takes
/// three times as long as tracking, and the difference changes slowly. The difference is therefore kept in
/// the head's own axes and added to the rotations of the images that follow.
package struct PoseCorrection {
    /// The source of a more accurate rotation.
    package enum Reference {
        /// The full landmark model.
        case direct
        /// The full landmark model on the mirrored image.
        case mirrored
    }

    /// The differences to both references.
    private var direct: Rotation?
    private var mirrored: Rotation?
    /// The tracked rotation at the last update.
    private var updated: Rotation?
    /// The tracked rotation in the last frame.
    private var current: Rotation?
    /// Seconds since the last update.
    private var age = 0.0

    package init() {}

    /// Seconds after which an update is worth its cost.
    private static let interval = 2.0
    /// Rotation of the head in radians after which an update is worth its cost at once: 20 degrees.
    private static let farTurn = Double.pi / 9

    /// Ages the correction to the next frame, `seconds` after the last one.
    package mutating func age(by seconds: Double) { age += seconds }

    /// Change of the head or the stream since the last update.
    ///
    /// From 1 on an update is worth its cost, from 2 on also that of a search for new faces.
    package var staleness: Double {
        guard direct != nil, mirrored != nil, let updated, let current else { return 2 }
        return max(age / Self.interval, current.angle(to: updated) / Self.farTurn)
    }

    /// The reference for the next update; the references take turns.
    package private(set) var next = Reference.direct

    /// Updates the difference to one reference.
    ///
    /// - Parameters:
    ///   - accurate: the rotation from the reference, mirrored back for the mirrored image; nil when no face
    ///     was found.
    ///   - tracked: the rotation from the tracked landmarks.
    package mutating func update(_ accurate: Rotation?, _ reference: Reference, from tracked: Rotation) {
        let difference = accurate.map { tracked.difference(to: $0) }
        switch reference {
        case .direct: direct = Self.mean(direct, difference)
        case .mirrored: mirrored = Self.mean(mirrored, difference)
        }
        (updated, age, next) = (tracked, 0, reference == .direct ? .mirrored : .direct)
    }

    /// Returns the rotation from the tracked landmarks, corrected by the mean of both differences.
    package mutating func corrected(_ tracked: Rotation) -> Rotation {
        current = tracked
        let middle = direct.flatMap { direct in mirrored.flatMap { direct.middle(to: $0) } }
        guard let difference = middle ?? direct ?? mirrored else { return tracked }
        return tracked.after(difference)
    }

    /// Returns the middle of the old and the new difference, because each reference has noise of its own.
    ///
    /// Without differences it returns no rotation (all angles 0).
    private static func mean(_ old: Rotation?, _ new: Rotation?) -> Rotation? {
        guard let old, let new else { return new ?? old ?? Rotation(roll: 0, yaw: 0, pitch: 0) }
        return old.middle(to: new) ?? new
    }
}
