package import Imaging

/// What a single-shot detector says at one anchor, in the unit square of its input.
package struct AnchorDetection: Detection {
    /// Centre x and y, width and height of the box, then x and y of each keypoint; the rest is 0.
    ///
    /// A vector, because an array would be memory of its own for every candidate.
    package let values: SIMD32<Double>
    package let score: Double

    /// Keypoints that fit into `values`; faces have 6, hands 7, bodies 4.
    static let mostKeypoints = 14

    package init(values: SIMD32<Double>, score: Double) { (self.values, self.score) = (values, score) }

    package var box: Rectangle {
        Rectangle(
            x: values[0] - values[2] / 2, y: values[1] - values[3] / 2, width: values[2], height: values[3])
    }

    /// The keypoint `index`, 0..<`mostKeypoints`.
    package func keypoint(_ index: Int) -> Point {
        Point(x: values[4 + 2 * index], y: values[5 + 2 * index])
    }

    /// False when a value is no number, or the box has no area.
    var isUsable: Bool { values.sum().isFinite && values[2] > 0 && values[3] > 0 }
}
