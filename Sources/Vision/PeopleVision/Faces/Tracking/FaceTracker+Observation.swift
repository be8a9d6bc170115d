import Imaging

extension FaceTracker {
    func observation(
        _ index: Int, in frame: UprightFrame, _ models: FaceModels, _ context: Context
    ) throws(VisionError) -> FaceObservation {
        let attributes = context.configuration.attributes
        let fit = try fit(index, frame, models, context)
        let rater = attributes.contains(.captureQuality) ? try models.captureRater() : nil
        let quality = try rater?.rate(tracks[index].face, fit, in: frame)
        return tracks[index].observation(
            in: frame, fit, interval: context.interval, withLandmarks: attributes.contains(.landmarks),
            pointCount: context.configuration.mode.isStream && !attributes.needFullModel
                ? FaceMesh.pointCount : .max, quality)
    }

    /// Returns the pose of the face of track `index`; nil when its landmarks span no face.
    private func fit(
        _ index: Int, _ frame: UprightFrame, _ models: FaceModels, _ context: Context
    ) throws(VisionError) -> PoseFitter.Fit? {
        let face = tracks[index].face
        let camera = frame.camera(context.configuration.verticalFieldOfView)
        guard context.configuration.mode.isStream else {
            return try poseEstimator.fit(face, in: frame, models, camera)
        }
        if wasSearchedFully {
            return try poseEstimator.fit(
                face, in: frame, models, camera, trackedBy: models.trackingLandmarker(context),
                &tracks[index].correction)
        }
        return try poseEstimator.fit(
            face, in: frame, models, camera, isFull: context.configuration.attributes.needFullModel,
            updatesCorrection: tracks[index].id == correctedID, &tracks[index].correction)
    }
}

extension FaceTrack {
    /// Returns the observation of this face.
    ///
    /// - Parameters:
    ///   - interval: seconds since the last frame; nil for a single image.
    ///   - pointCount: the maximum number of points of the mesh.
    mutating func observation(
        in frame: UprightFrame, _ fit: PoseFitter.Fit?, interval: Double?, withLandmarks: Bool,
        pointCount: Int, _ captureQuality: Double?
    ) -> FaceObservation {
        storeMesh(frame, count: pointCount)
        let hasLandmarks = withLandmarks && mesh.count > LandmarkIndices.lastPoint
        if hasLandmarks { storeLandmarks(frame, ahead: fit?.rotation.z) }
        var pose = fit.map { HeadPose($0.rotation) } ?? HeadPose.unknown(roll: -face.mesh.angle)
        if let interval { pose = smoother.smooth(pose, interval: interval) }
        return FaceObservation(
            boundingBox: frame.stored(box), confidence: confidence, id: id, roll: pose.roll, yaw: pose.yaw,
            pitch: pose.pitch, anglesAreReliable: isReliable(fit), mesh: mesh,
            landmarks: hasLandmarks ? FaceLandmarks(points: landmarks) : nil,
            captureQuality: captureQuality)
    }

    private mutating func storeMesh(_ frame: UprightFrame, count: Int) {
        mesh.removeAll(keepingCapacity: true)
        for point in face.mesh.points.prefix(count) {
            mesh.append(
                FaceMeshPoint(
                    position: frame.stored(point.x, point.y), depth: point.z / frame.wholeSize.width))
        }
    }

    /// Stores the landmarks of the observation.
    ///
    /// - Parameter ahead: direction of the nose; nil when unknown.
    private mutating func storeLandmarks(_ frame: UprightFrame, ahead: SIMD3<Double>?) {
        landmarks.removeAll(keepingCapacity: true)
        let confidence = LandmarkConfidence(
            face.mesh, presence: face.presence, ahead: ahead, size: frame.size)
        for index in LandmarkIndices.points {
            landmarks.append(
                FaceLandmark(
                    position: mesh[index].position, confidence: confidence.value(face.mesh.points[index])))
        }
    }

    /// Minimum length of the box's longer side in pixels; the angles of smaller faces are mostly noise.
    private static let minimumMeasuredSide = 24.0
    /// Presence, 0...1, below which the face is half hidden or nearly a profile.
    private static let minimumPresence = 0.95
    /// Maximum error of a reliable fit, as a share of the face's height; more is no head, or a face pulled
    /// out of shape.
    private static let maximumError = 0.04
    /// Cosine of the angle between nose and camera, 53 degrees, beyond which half of the face is hidden.
    private static let minimumFacing = 0.6

    private func isReliable(_ fit: PoseFitter.Fit?) -> Bool {
        guard let fit else { return false }
        return face.presence >= Self.minimumPresence && fit.error < Self.maximumError
            && fit.rotation.z.z > Self.minimumFacing
            && max(box.width, box.height) >= Self.minimumMeasuredSide
    }
}

/// The certainty of a mesh's points: the model also returns hidden points, with less accuracy.
struct LandmarkConfidence {
    private let presence: Double
    private let middle: SIMD3<Double>
    private let size: Size

    /// Cosine of the angle between the skin's normal and the direction to the camera at which a point is
    /// certainly hidden.
    ///
    /// It is somewhat beyond a right angle, because the normals are approximate.
    private static let hidden = -0.15
    /// The cosine from which on a point is certainly visible.
    ///
    /// Between both cosines the confidence falls smoothly, so that a point on the outline, which the model
    /// places well, is about half certain.
    private static let seen = 0.35
    /// Factor for a point outside the frame, which the model infers from the others only.
    private static let outside = 0.3

    /// Prepares the certainty of a mesh's points.
    ///
    /// - Parameters:
    ///   - presence: certainty that this is a face, 0...1.
    ///   - ahead: direction of the nose: x right, y up, z towards the camera; nil when unknown.
    ///   - size: size of the frame, in pixels.
    init(_ mesh: FaceMesh, presence: Double, ahead: SIMD3<Double>?, size: Size) {
        self.presence = presence
        self.size = size
        let (right, left) = (mesh.points[234], mesh.points[454])
        let depth = (left - right).length / 2
        // Directions from a place deep in the head approximate the normals of the skin.
        let back = (ahead ?? SIMD3(0, 0, 1)) * SIMD3(1, -1, -1) * depth
        middle = (right + left) / 2 - back
    }

    /// Returns the confidence of one point of the mesh, 0...1.
    func value(_ point: SIMD3<Double>) -> Double {
        let direction = point - middle
        let facing = -direction.z / max(direction.length, .leastNormalMagnitude)
        let share = min(max((facing - Self.hidden) / (Self.seen - Self.hidden), 0), 1)
        let isInside = point.x >= 0 && point.y >= 0 && point.x <= size.width && point.y <= size.height
        return presence * share * share * (3 - 2 * share) * (isInside ? 1 : Self.outside)
    }
}
