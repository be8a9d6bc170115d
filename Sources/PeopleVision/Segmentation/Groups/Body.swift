package import Imaging

/// Someone whom the pose detector has found, in pixels of the upright frame.
package struct Body {
    /// The middle between the hips.
    package let hips: Point
    /// Radius of the circle around the hips that holds all of the body.
    package let radius: Double
    /// How far the body is turned, clockwise on a screen, in radians.
    package let angle: Double
    /// The middle between the shoulders.
    package let shoulders: Point
    /// Radius of the circle around the shoulders that holds head and trunk.
    package let upperRadius: Double
    /// 0...1.
    package let score: Double

    package init(
        hips: Point, radius: Double, angle: Double, shoulders: Point, upperRadius: Double, score: Double
    ) {
        (self.hips, self.radius, self.angle) = (hips, radius, angle)
        (self.shoulders, self.upperRadius, self.score) = (shoulders, upperRadius, score)
    }

    /// Whether both are one person, seen in two views.
    package func isSame(as other: Body) -> Bool {
        hips.distance(to: other.hips) < 0.5 * max(radius, other.radius)
            && shoulders.distance(to: other.shoulders) < 0.5 * max(upperRadius, other.upperRadius)
    }
}

extension [Body] {
    /// Keeps the surest of those who are the same, at most `most`, surest first.
    package mutating func reduceToOneEach(most: Int) {
        sort { $0.score > $1.score }
        var kept = 0
        for index in indices where kept < most {
            if self[..<kept].contains(where: { $0.isSame(as: self[index]) }) { continue }
            swapAt(kept, index)
            kept += 1
        }
        removeLast(count - kept)
    }
}

extension Point {
    func distance(to other: Point) -> Double {
        let (dx, dy) = (x - other.x, y - other.y)
        return (dx * dx + dy * dy).squareRoot()
    }
}
