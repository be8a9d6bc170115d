import Imaging

/// Finds the rotation and position of the average face whose perspective image fits the points of a mesh
/// best.
///
/// It uses Gauss-Newton steps on reprojection errors, with weights that fall with the error of outliers.
package final class PoseFitter {
    /// The result of a fit.
    package struct Fit {
        package var rotation: Rotation
        /// The head's origin in centimetres: x right, y up, z towards the camera, hence negative.
        package var position: SIMD3<Double>
        /// Root of the mean squared distance between mesh and fitted points, as a share of the face's height.
        package var error = 0.0
    }

    private var equations = NormalEquations()
    private let points: [CanonicalPoint]
    /// Mean position of the points whose depth has a weight.
    private let middle: SIMD3<Double>
    /// Maximum number of Gauss-Newton steps.
    private static let steps = 20
    /// Error beyond which points get less and less weight (Cauchy's weights), as a share of the face's
    /// height.
    private var tolerance = firstTolerance
    /// Tolerance of the first step.
    ///
    /// The first guess is off by more than the points are: with the final tolerance at once, all points would
    /// count as outliers.
    private static let firstTolerance = 1.0
    private static let finalTolerance = 0.02

    package init(_ points: [CanonicalPoint] = CanonicalFace.points) {
        self.points = points
        let total = points.reduce(0) { $0 + $1.weight * $1.depthWeight }
        middle =
            points.reduce(SIMD3()) { $0 + $1.position * ($1.weight * $1.depthWeight) }
            / max(total, .leastNormalMagnitude)
    }

    /// Fits the average face to a mesh.
    ///
    /// - Parameter mesh: at least `FaceMesh.pointCount` points: pixels, y down, z away from the camera.
    /// - Returns: nil when the points span no face.
    package func fit(_ mesh: [SIMD3<Double>], camera: Camera) -> Fit? {
        guard mesh.count >= FaceMesh.pointCount, camera.focalLength > 0, let guess = guess(mesh, camera)
        else {
            return nil
        }
        var fit = guess.fit
        tolerance = Self.firstTolerance
        let depth = meanDepth(mesh)
        for _ in 0..<Self.steps {
            tolerance = max(tolerance * 0.3, Self.finalTolerance)
            guard let step = step(fit, mesh, camera, meanDepth: depth, height: guess.height) else {
                return nil
            }
            fit.rotation.rotate(by: step.turn)
            fit.position += step.shift
            guard fit.position.z < 0, fit.position.length.isFinite else { return nil }
            if tolerance == Self.finalTolerance, step.turn.length < 1e-6, step.shift.length < 1e-5 { break }
        }
        fit.error = error(fit, mesh, camera) / guess.height
        return fit.error.isFinite ? fit : nil
    }

    /// Returns the mean of the model's depths; depths are relative to it because their origin is arbitrary.
    private func meanDepth(_ mesh: [SIMD3<Double>]) -> Double {
        var (sum, total) = (0.0, 0.0)
        for point in points {
            sum += mesh[point.index].z * point.weight * point.depthWeight
            total += point.weight * point.depthWeight
        }
        return sum / max(total, .leastNormalMagnitude)
    }
}

extension PoseFitter {
    /// Returns the pose without perspective, from the line between the eyes and the line from chin to
    /// forehead.
    private func guess(_ mesh: [SIMD3<Double>], _ camera: Camera) -> (fit: Fit, height: Double)? {
        let flip = SIMD3(1.0, -1, -1)
        let across = (mesh[263] - mesh[33]) * flip
        let up = (mesh[10] - mesh[152]) * flip
        guard let rotation = Rotation(across: across, up: up), across.length > 1e-6 else { return nil }
        let height = up.length
        let distance = camera.focalLength * Self.canonicalHeight / height
        let bridge = mesh[168]
        let ray = SIMD3(bridge.x - camera.center.x, camera.center.y - bridge.y, -camera.focalLength)
        let position = ray * (distance / camera.focalLength) - rotation.turn(Self.canonicalBridge)
        guard position.z < 0, position.length.isFinite else { return nil }
        return (Fit(rotation: rotation, position: position), height)
    }

    /// Distance from forehead (point 10) to chin (point 152), in centimetres.
    private static let canonicalHeight = 17.67
    /// Position between the eyes (point 168).
    private static let canonicalBridge = SIMD3(0, 3.271, 5.236)

    private func step(
        _ fit: Fit, _ mesh: [SIMD3<Double>], _ camera: Camera, meanDepth: Double, height: Double
    ) -> (turn: SIMD3<Double>, shift: SIMD3<Double>)? {
        equations.clear()
        for point in points {
            let arm = fit.rotation.turn(point.position)
            let place = arm + fit.position
            guard place.z < -1e-6 else { return nil }
            let target = mesh[point.index]
            addPicture(point, arm, place, target, camera, height)
            addDepth(
                point, fit.rotation.turn(point.position - middle), fit, target.z - meanDepth, camera, height)
        }
        return equations.solve(damping: 1e-6)
    }

    /// Adds the errors in the image.
    private func addPicture(
        _ point: CanonicalPoint, _ arm: SIMD3<Double>, _ place: SIMD3<Double>, _ target: SIMD3<Double>,
        _ camera: Camera, _ height: Double
    ) {
        let scale = camera.focalLength / -place.z
        let errorX = (camera.center.x + scale * place.x - target.x) / height
        let errorY = (camera.center.y - scale * place.y - target.y) / height
        let weight = point.weight * robustWeight(errorX * errorX + errorY * errorY)
        let byX = SIMD3(scale, 0, scale * place.x / -place.z) / height
        let byY = SIMD3(0, -scale, -scale * place.y / -place.z) / height
        equations.add(errorX, byTurn: arm.crossed(byX), byShift: byX, weight: weight)
        equations.add(errorY, byTurn: arm.crossed(byY), byShift: byY, weight: weight)
    }

    /// Adds the errors along the line of sight, against the model's depths.
    private func addDepth(
        _ point: CanonicalPoint, _ arm: SIMD3<Double>, _ fit: Fit, _ target: Double, _ camera: Camera,
        _ height: Double
    ) {
        let distance = fit.position.length
        let ray = fit.position / distance
        let scale = camera.focalLength / distance / height
        let error = scale * ray.dot(arm) - target / height
        let weight = point.depthWeight * point.weight * robustWeight(error * error)
        // The derivatives by the shift are left out: the image determines the distance more accurately than
        // the depths do.
        equations.add(error, byTurn: arm.crossed(ray * scale), byShift: SIMD3(), weight: weight)
    }

    /// Returns Cauchy's weight.
    private func robustWeight(_ squaredError: Double) -> Double {
        1 / (1 + squaredError / (tolerance * tolerance))
    }

    private func error(_ fit: Fit, _ mesh: [SIMD3<Double>], _ camera: Camera) -> Double {
        var (sum, total) = (0.0, 0.0)
        for point in points {
            let place = fit.rotation.turn(point.position) + fit.position
            let scale = camera.focalLength / -place.z
            let x = camera.center.x + scale * place.x - mesh[point.index].x
            let y = camera.center.y - scale * place.y - mesh[point.index].y
            sum += (x * x + y * y) * point.weight
            total += point.weight
        }
        return (sum / max(total, .leastNormalMagnitude)).squareRoot()
    }
}

/// The linear least-squares problem of one Gauss-Newton step in six unknowns.
struct NormalEquations {
    /// Rows of the symmetric matrix J^T W J, its lower triangle.
    private var matrix: [Double]
    /// The vector J^T W r.
    private var right: [Double]
    private static let count = 6

    init() {
        matrix = [Double](repeating: 0, count: Self.count * Self.count)
        right = [Double](repeating: 0, count: Self.count)
    }

    mutating func clear() {
        for i in matrix.indices { matrix[i] = 0 }
        for i in right.indices { right[i] = 0 }
    }

    /// Adds a residual with its derivatives by rotation and translation.
    mutating func add(
        _ residual: Double, byTurn turn: SIMD3<Double>, byShift shift: SIMD3<Double>, weight: Double
    ) {
        let row = SIMD8(turn.x, turn.y, turn.z, shift.x, shift.y, shift.z, 0, 0)
        for i in 0..<Self.count {
            let weighted = weight * row[i]
            right[i] += weighted * residual
            for j in 0...i { matrix[i * Self.count + j] += weighted * row[j] }
        }
    }

    /// Returns the step that makes the residuals vanish in first order, by Cholesky's method; nil when the
    /// unknowns are not determined.
    ///
    /// - Parameter damping: share of the diagonal that is added to the diagonal (Marquardt 1963).
    mutating func solve(damping: Double) -> (turn: SIMD3<Double>, shift: SIMD3<Double>)? {
        for i in 0..<Self.count { matrix[i * Self.count + i] *= 1 + damping }
        for i in 0..<Self.count {
            for j in 0...i {
                var sum = matrix[i * Self.count + j]
                for k in 0..<j { sum -= matrix[i * Self.count + k] * matrix[j * Self.count + k] }
                if i == j {
                    guard sum > 1e-12, sum.isFinite else { return nil }
                    matrix[i * Self.count + i] = sum.squareRoot()
                } else {
                    matrix[i * Self.count + j] = sum / matrix[j * Self.count + j]
                }
            }
        }
        substitute()
        let step = (SIMD3(right[0], right[1], right[2]), SIMD3(right[3], right[4], right[5]))
        return (-step.0, -step.1)
    }

    /// Solves forwards through the triangle, then backwards through its transpose.
    private mutating func substitute() {
        for i in 0..<Self.count {
            for k in 0..<i { right[i] -= matrix[i * Self.count + k] * right[k] }
            right[i] /= matrix[i * Self.count + i]
        }
        for i in stride(from: Self.count - 1, through: 0, by: -1) {
            for k in stride(from: i + 1, to: Self.count, by: 1) {
                right[i] -= matrix[k * Self.count + i] * right[k]
            }
            right[i] /= matrix[i * Self.count + i]
        }
    }
}

/// A point of the mesh on a head that looks straight ahead.
package struct CanonicalPoint {
    /// The number of the point in the mesh.
    package let index: Int
    /// The position in centimetres: to the right, as the viewer sees it; up; and towards the viewer.
    package let position: SIMD3<Double>
    /// The weight of the point in a fit.
    let weight: Double
    /// The weight of the point's depth in the mesh, relative to that of its position in the image.
    let depthWeight: Double

    init(_ index: Int, _ x: Double, _ y: Double, _ z: Double, weight: Double, depthWeight: Double = 0) {
        self.index = index
        position = SIMD3(x, y, z)
        self.weight = weight
        self.depthWeight = depthWeight
    }
}

/// The average face, in points that expressions hardly move: brows, mouth and jaw are left out.
///
/// The depths of the points on the median line have weight, because they determine pitch better than the
/// image does. Depths of the sides have none, because they determine yaw less well than the image does.
package enum CanonicalFace {
    /// Positions from MediaPipe's canonical face model (Apache-2.0); the weights follow those of its face geometry
    /// module, with points of the median line added.
    package static let points = [
        CanonicalPoint(1, 0.000, -1.127, 7.476, weight: 0.01, depthWeight: 10),
        CanonicalPoint(4, 0.000, -0.463, 7.587, weight: 0.07, depthWeight: 10),
        CanonicalPoint(5, 0.000, 0.366, 7.243, weight: 0.01, depthWeight: 10),
        CanonicalPoint(6, 0.000, 2.473, 5.789, weight: 0.032, depthWeight: 10),
        CanonicalPoint(8, 0.000, 4.019, 5.285, weight: 0.01, depthWeight: 10),
        CanonicalPoint(9, 0.000, 4.886, 5.385, weight: 0.01, depthWeight: 10),
        CanonicalPoint(10, 0.000, 8.262, 4.482, weight: 0.01, depthWeight: 10),
        CanonicalPoint(33, -4.446, 2.664, 3.173, weight: 0.06),
        CanonicalPoint(54, -6.279, 6.615, 1.426, weight: 0.01),
        CanonicalPoint(67, -3.524, 8.006, 3.729, weight: 0.01),
        CanonicalPoint(117, -5.259, 0.946, 2.974, weight: 0.01),
        CanonicalPoint(119, -3.301, 0.862, 3.873, weight: 0.015),
        CanonicalPoint(121, -1.821, 1.468, 4.224, weight: 0.02),
        CanonicalPoint(127, -7.743, 2.365, -2.005, weight: 0.01),
        CanonicalPoint(129, -1.786, -0.978, 4.850, weight: 0.12),
        CanonicalPoint(133, -1.856, 2.585, 3.758, weight: 0.05),
        CanonicalPoint(143, -6.408, 2.236, 1.561, weight: 0.015),
        CanonicalPoint(151, 0.000, 6.545, 5.027, weight: 0.01, depthWeight: 10),
        CanonicalPoint(168, 0.000, 3.271, 5.236, weight: 0.03, depthWeight: 10),
        CanonicalPoint(195, 0.000, 1.059, 6.775, weight: 0.03, depthWeight: 10),
        CanonicalPoint(197, 0.000, 1.728, 6.317, weight: 0.03, depthWeight: 10),
        CanonicalPoint(198, -1.247, 0.230, 5.681, weight: 0.025),
        CanonicalPoint(205, -3.833, -1.537, 4.138, weight: 0.02),
        CanonicalPoint(263, 4.446, 2.664, 3.173, weight: 0.06),
        CanonicalPoint(284, 6.279, 6.615, 1.426, weight: 0.01),
        CanonicalPoint(297, 3.524, 8.006, 3.729, weight: 0.01),
        CanonicalPoint(346, 5.259, 0.946, 2.974, weight: 0.01),
        CanonicalPoint(348, 3.301, 0.862, 3.873, weight: 0.015),
        CanonicalPoint(350, 1.821, 1.468, 4.224, weight: 0.02),
        CanonicalPoint(356, 7.743, 2.365, -2.005, weight: 0.01),
        CanonicalPoint(358, 1.786, -0.978, 4.850, weight: 0.12),
        CanonicalPoint(362, 1.856, 2.585, 3.758, weight: 0.05),
        CanonicalPoint(372, 6.408, 2.236, 1.561, weight: 0.015),
        CanonicalPoint(420, 1.247, 0.230, 5.681, weight: 0.025),
        CanonicalPoint(425, 3.833, -1.537, 4.138, weight: 0.02),
    ]
}
