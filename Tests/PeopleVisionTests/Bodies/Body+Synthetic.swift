import Imaging
import PeopleVision

/// A body at a known place in space, with the model's output for it.
struct SyntheticBody {
    /// Metres from the root in the camera's axes: x to the right, y up, z towards the camera.
    var points: [SIMD3<Double>]
    /// The root, from the camera.
    var root: SIMD3<Double>

    /// Creates a standing person of 1.8 m with one arm ahead and one leg back.
    ///
    /// Points without a name get the same small offset.
    init(root: SIMD3<Double>) {
        var points = [SIMD3<Double>](repeating: SIMD3(0, 0.1, 0.05), count: BodyLandmarks.pointCount)
        let named: [(BodyPoint, SIMD3<Double>)] = [
            (.nose, SIMD3(0, 0.66, 0.12)), (.leftEye, SIMD3(0.03, 0.70, 0.10)),
            (.rightEye, SIMD3(-0.03, 0.70, 0.10)),
            (.leftEar, SIMD3(0.08, 0.68, 0)), (.rightEar, SIMD3(-0.08, 0.68, 0)),
            (.leftMouth, SIMD3(0.02, 0.63, 0.10)), (.rightMouth, SIMD3(-0.02, 0.63, 0.10)),
            (.leftShoulder, SIMD3(0.2, 0.45, 0)), (.rightShoulder, SIMD3(-0.2, 0.45, 0)),
            (.leftElbow, SIMD3(0.25, 0.25, 0.2)), (.rightElbow, SIMD3(-0.27, 0.2, -0.05)),
            (.leftWrist, SIMD3(0.22, 0.35, 0.42)), (.rightWrist, SIMD3(-0.3, -0.05, 0)),
            (.leftHip, SIMD3(0.1, 0, 0)), (.rightHip, SIMD3(-0.1, 0, 0)),
            (.leftKnee, SIMD3(0.12, -0.43, 0.05)), (.rightKnee, SIMD3(-0.12, -0.42, -0.12)),
            (.leftAnkle, SIMD3(0.12, -0.85, 0)), (.rightAnkle, SIMD3(-0.12, -0.80, -0.35)),
        ]
        for (point, place) in named { points[point.rawValue] = place }
        (self.points, self.root) = (points, root)
    }

    func camera(_ index: Int) -> SIMD3<Double> { root + points[index] }

    /// Returns the landmark model's output through a camera: exact places in the image, and the body in axes
    /// along
    /// the line of sight through the root, `factor` times as large.
    func seen(focalLength: Double, size: Size, factor: Double) -> BodyLandmarks {
        var body = BodyLandmarks()
        let middle = pixel(root, focalLength, size)
        body.crop = RotatedSquare(center: middle, side: 300, angle: 0)
        // Back along the line of sight, then across and up, level with the camera.
        let back = -root / root.norm
        let across = SIMD3(back.z, 0, -back.x) / SIMD3(back.z, 0, -back.x).norm
        let up = SIMD3(
            back.y * across.z - back.z * across.y, back.z * across.x - back.x * across.z,
            back.x * across.y - back.y * across.x)
        for index in points.indices {
            let place = pixel(camera(index), focalLength, size)
            body.points[index] = SIMD3(place.x, place.y, 0.9)
            let point = points[index]
            body.world[index] =
                factor * SIMD3((point * across).sum(), (point * up).sum(), (point * back).sum())
        }
        body.presence = 1
        return body
    }

    private func pixel(_ point: SIMD3<Double>, _ focalLength: Double, _ size: Size) -> Point {
        Point(
            x: size.width / 2 + focalLength * point.x / -point.z,
            y: size.height / 2 - focalLength * point.y / -point.z)
    }
}

extension SIMD3<Double> {
    var norm: Double { (self * self).sum().squareRoot() }
}
