/// A point of the mesh on a head that looks straight ahead.
struct CanonicalPoint {
    /// Its place in the mesh.
    let index: Int
    /// Centimetres to the right, as the viewer sees it.
    let x: Double
    /// Centimetres up.
    let y: Double
    /// Centimetres towards the viewer.
    let z: Double
    /// How much it counts in a fit.
    let weight: Double
}

/// The average face, in points that expressions hardly move: brows, mouth and jaw are left out.
enum CanonicalFace {
    /// Positions from MediaPipe's canonical face model (Apache-2.0).
    static let points = [
        CanonicalPoint(index: 4, x: 0.000, y: -0.463, z: 7.587, weight: 0.07),
        CanonicalPoint(index: 6, x: 0.000, y: 2.473, z: 5.789, weight: 0.032),
        CanonicalPoint(index: 10, x: 0.000, y: 8.262, z: 4.482, weight: 0.01),
        CanonicalPoint(index: 33, x: -4.446, y: 2.664, z: 3.173, weight: 0.06),
        CanonicalPoint(index: 54, x: -6.279, y: 6.615, z: 1.426, weight: 0.01),
        CanonicalPoint(index: 67, x: -3.524, y: 8.006, z: 3.729, weight: 0.01),
        CanonicalPoint(index: 117, x: -5.259, y: 0.946, z: 2.974, weight: 0.01),
        CanonicalPoint(index: 119, x: -3.301, y: 0.862, z: 3.873, weight: 0.015),
        CanonicalPoint(index: 121, x: -1.821, y: 1.468, z: 4.224, weight: 0.02),
        CanonicalPoint(index: 127, x: -7.743, y: 2.365, z: -2.005, weight: 0.01),
        CanonicalPoint(index: 129, x: -1.786, y: -0.978, z: 4.850, weight: 0.12),
        CanonicalPoint(index: 133, x: -1.856, y: 2.585, z: 3.758, weight: 0.05),
        CanonicalPoint(index: 143, x: -6.408, y: 2.236, z: 1.561, weight: 0.015),
        CanonicalPoint(index: 168, x: 0.000, y: 3.271, z: 5.236, weight: 0.03),
        CanonicalPoint(index: 195, x: 0.000, y: 1.059, z: 6.775, weight: 0.03),
        CanonicalPoint(index: 197, x: 0.000, y: 1.728, z: 6.317, weight: 0.03),
        CanonicalPoint(index: 198, x: -1.247, y: 0.230, z: 5.681, weight: 0.025),
        CanonicalPoint(index: 205, x: -3.833, y: -1.537, z: 4.138, weight: 0.02),
        CanonicalPoint(index: 263, x: 4.446, y: 2.664, z: 3.173, weight: 0.06),
        CanonicalPoint(index: 284, x: 6.279, y: 6.615, z: 1.426, weight: 0.01),
        CanonicalPoint(index: 297, x: 3.524, y: 8.006, z: 3.729, weight: 0.01),
        CanonicalPoint(index: 346, x: 5.259, y: 0.946, z: 2.974, weight: 0.01),
        CanonicalPoint(index: 348, x: 3.301, y: 0.862, z: 3.873, weight: 0.015),
        CanonicalPoint(index: 350, x: 1.821, y: 1.468, z: 4.224, weight: 0.02),
        CanonicalPoint(index: 356, x: 7.743, y: 2.365, z: -2.005, weight: 0.01),
        CanonicalPoint(index: 358, x: 1.786, y: -0.978, z: 4.850, weight: 0.12),
        CanonicalPoint(index: 362, x: 1.856, y: 2.585, z: 3.758, weight: 0.05),
        CanonicalPoint(index: 372, x: 6.408, y: 2.236, z: 1.561, weight: 0.015),
        CanonicalPoint(index: 420, x: 1.247, y: 0.230, z: 5.681, weight: 0.025),
        CanonicalPoint(index: 425, x: 3.833, y: -1.537, z: 4.138, weight: 0.02),
    ]
}
