public import Imaging

/// A point of an image, normalised to 0...1; (0, 0) is the upper left corner.
public typealias NormalizedPoint = Point

/// A rectangle of an image, normalised to 0...1; `x` and `y` are those of the upper left corner.
public typealias NormalizedRect = Rectangle

/// The corner from which image coordinates are counted.
public enum CoordinateOrigin: Sendable {
    /// Rows are counted from the top, as in memory.
    case upperLeft
    /// Rows are counted from the bottom, as in Apple's Vision.
    case lowerLeft
}

extension Point {
    /// Returns the place of a normalised point in an image, in pixels.
    ///
    /// - Parameters:
    ///   - size: size of the image in pixels.
    ///   - origin: the corner from which pixels are counted.
    public func toImageCoordinates(_ size: Size, origin: CoordinateOrigin = .upperLeft) -> Point {
        let fromTop = y * size.height
        return Point(x: x * size.width, y: origin == .upperLeft ? fromTop : size.height - fromTop)
    }
}

extension Rectangle {
    /// Returns the place of a normalised rectangle in an image, in pixels.
    ///
    /// - Parameters:
    ///   - size: size of the image in pixels.
    ///   - origin: the corner from which pixels are counted; `x` and `y` of the result are those of the
    ///     rectangle's corner that is nearest to it.
    public func toImageCoordinates(_ size: Size, origin: CoordinateOrigin = .upperLeft) -> Rectangle {
        let corner = Point(x: x, y: origin == .upperLeft ? y : y + height)
            .toImageCoordinates(size, origin: origin)
        return Rectangle(x: corner.x, y: corner.y, width: width * size.width, height: height * size.height)
    }
}

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

    /// Minimum share of a rectangle within a larger one for it to lie there.
    private static let shareInside = 0.8

    /// Whether another rectangle lies in this one, nearly all of it.
    func surrounds(_ other: Rectangle) -> Bool {
        other.sharedArea(with: self) >= Self.shareInside * other.area
    }
}
