import Imaging

extension FaceTrack {
    /// What is told of this face.
    ///
    /// - Parameter interval: seconds since the last picture; nil for a picture by itself.
    mutating func observation(
        in frame: UprightFrame, _ fit: PoseFitter.Fit?, interval: Double?, withLandmarks: Bool,
        _ captureQuality: Double?
    ) -> FaceObservation {
        storeMesh(frame)
        let hasLandmarks = withLandmarks && mesh.count > FaceConstellation.lastPoint
        if hasLandmarks { storeLandmarks(frame, ahead: fit?.rotation.z) }
        var pose = fit.map { HeadPose($0.rotation) } ?? HeadPose.unknown(roll: -look.mesh.angle)
        if let interval { pose = smoother.smooth(pose, interval: interval) }
        return FaceObservation(
            boundingBox: frame.stored(box), confidence: look.presence, id: id, roll: pose.roll, yaw: pose.yaw,
            pitch: pose.pitch, anglesAreReliable: isReliable(fit), mesh: mesh,
            landmarks: hasLandmarks ? FaceLandmarks(points: landmarks) : nil,
            captureQuality: captureQuality)
    }

    private mutating func storeMesh(_ frame: UprightFrame) {
        mesh.removeAll(keepingCapacity: true)
        for point in look.mesh.points {
            mesh.append(
                FaceMeshPoint(position: frame.stored(point.x, point.y), depth: point.z / frame.size.width))
        }
    }

    /// - Parameter ahead: where the nose points; nil when unknown.
    private mutating func storeLandmarks(_ frame: UprightFrame, ahead: SIMD3<Double>?) {
        landmarks.removeAll(keepingCapacity: true)
        let trust = LandmarkTrust(look.mesh, presence: look.presence, ahead: ahead, size: frame.size)
        for index in FaceConstellation.points {
            landmarks.append(
                FaceLandmark(
                    position: mesh[index].position, confidence: trust.confidence(look.mesh.points[index])))
        }
    }

    /// In pixels; a smaller face is there, but which way it looks is a guess.
    private static let leastToMeasure = 24.0

    private func isReliable(_ fit: PoseFitter.Fit?) -> Bool {
        guard let fit else { return false }
        return look.presence >= 0.95 && fit.error < 0.04 && fit.rotation.z.z > 0.6
            && max(box.width, box.height) >= Self.leastToMeasure
    }
}
