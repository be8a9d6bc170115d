import Imaging

/// How certain the points of a mesh are: the model also gives points that are hidden, less accurately.
struct LandmarkConfidence {
    private let presence: Double
    private let middle: SIMD3<Double>
    private let size: Size

    /// Cosine of the angle between the skin's normal and the direction to the camera at which a point is certainly hidden;
    /// somewhat beyond a right angle, because the normals are approximate.
    private static let hidden = -0.15
    /// The cosine from which a point is certainly visible.
    ///
    /// Between both the confidence falls smoothly, so that a point on the outline, which the model places well,
    /// is about half certain.
    private static let seen = 0.35
    /// Factor for a point outside the picture, which follows from the others only.
    private static let outside = 0.3

    /// - Parameters:
    ///   - presence: certainty that this is a face, 0...1.
    ///   - ahead: where the nose points: x right, y up, z towards the camera; nil when unknown.
    ///   - size: of the picture, in pixels.
    init(_ mesh: FaceMesh, presence: Double, ahead: SIMD3<Double>?, size: Size) {
        self.presence = presence
        self.size = size
        let (right, left) = (mesh.points[234], mesh.points[454])
        let depth = (left - right).length / 2
        // Directions from a place deep in the head approximate the normals of the skin.
        let back = (ahead ?? SIMD3(0, 0, 1)) * SIMD3(1, -1, -1) * depth
        middle = (right + left) / 2 - back
    }

    /// The confidence of one point of the mesh, 0...1.
    func value(_ point: SIMD3<Double>) -> Double {
        let direction = point - middle
        let facing = -direction.z / max(direction.length, .leastNormalMagnitude)
        let share = min(max((facing - Self.hidden) / (Self.seen - Self.hidden), 0), 1)
        let isInside = point.x >= 0 && point.y >= 0 && point.x <= size.width && point.y <= size.height
        return presence * share * share * (3 - 2 * share) * (isInside ? 1 : Self.outside)
    }
}
