import Imaging

/// Finds the landmarks of a head in the mirrored picture as well.
///
/// The landmark model's errors differ between heads turned left and turned right, and change with noise; the
/// middle of both rotations halves what differs. What is wrong in both alike is left to `PoseCalibration`.
struct FlipAugmentation {
    private var mesh = FaceMesh()
    /// The presence from which the mirrored result counts, 0...1: the model's own limit for a face.
    private static let leastPresence = 0.5

    /// The rotation of `face` as the mirrored picture shows it, mirrored back; nil when no face is found there.
    mutating func rotation(
        of face: AlignedFace, in frame: UprightFrame, _ landmarker: FaceLandmarker,
        _ fitter: PoseFitter, _ camera: PoseFitter.Camera
    ) throws(VisionError) -> Rotation? {
        var crop = landmarker.crop(of: face.mesh)
        crop = RotatedSquare(
            center: Point(x: frame.size.width - crop.center.x, y: crop.center.y), side: crop.side,
            angle: -crop.angle)
        let presence = try landmarker.find(in: frame.mirrored, crop, into: &mesh)
        guard presence >= Self.leastPresence else { return nil }
        return fitter.fit(mesh.points, camera: camera)?.rotation.mirrored
    }
}
