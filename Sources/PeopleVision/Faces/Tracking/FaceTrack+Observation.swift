import Imaging

extension FaceTrack {
    /// What is reported of this face.
    ///
    /// - Parameters:
    ///   - interval: seconds since the last picture; nil for a picture by itself.
    ///   - pointCount: points of the mesh at most.
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
                FaceMeshPoint(position: frame.stored(point.x, point.y), depth: point.z / frame.size.width))
        }
    }

    /// - Parameter ahead: where the nose points; nil when unknown.
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

    /// The longer side of the box in pixels; the angles of smaller faces are mostly noise.
    private static let leastMeasuredSide = 24.0
    /// Presence, 0...1, below which the face is half hidden or nearly a profile.
    private static let leastPresence = 0.95
    /// Error of the fit, as a share of the face's height; more is no head, or a face pulled out of shape.
    private static let largestError = 0.04
    /// Cosine of the angle between nose and camera, 53 degrees, beyond which half of the face is hidden.
    private static let leastFacing = 0.6

    private func isReliable(_ fit: PoseFitter.Fit?) -> Bool {
        guard let fit else { return false }
        return face.presence >= Self.leastPresence && fit.error < Self.largestError
            && fit.rotation.z.z > Self.leastFacing
            && max(box.width, box.height) >= Self.leastMeasuredSide
    }
}
