import Imaging

extension Rectangle {
    /// Whether a point lies in the rectangle or on its edge.
    func contains(_ point: Point) -> Bool {
        point.x >= x && point.y >= y && point.x <= x + width && point.y <= y + height
    }

    /// Whether the rectangles have a point in common, which may lie on their edges.
    func touches(_ other: Rectangle) -> Bool {
        other.x <= x + width && x <= other.x + other.width && other.y <= y + height
            && y <= other.y + other.height
    }

    /// Returns the intersection over union, 0...1.
    func overlap(with other: Rectangle) -> Double {
        let shared = sharedArea(with: other)
        return shared > 0 ? shared / (area + other.area - shared) : 0
    }

    /// Returns the shared area divided by the smaller rectangle's area, 0...1.
    func shareOfSmaller(with other: Rectangle) -> Double {
        let shared = sharedArea(with: other)
        return shared > 0 ? shared / min(area, other.area) : 0
    }

    var area: Double { width * height }

    /// Returns the shared area.
    func sharedArea(with other: Rectangle) -> Double {
        let sharedWidth = min(x + width, other.x + other.width) - max(x, other.x)
        let sharedHeight = min(y + height, other.y + other.height) - max(y, other.y)
        return max(sharedWidth, 0) * max(sharedHeight, 0)
    }
}
