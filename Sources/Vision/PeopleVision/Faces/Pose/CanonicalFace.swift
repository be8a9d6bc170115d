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
