public import Foundation
public import PeopleVision

extension Point {
    /// Creates a position from Core Graphics' type.
    public init(_ point: CGPoint) { self.init(x: Double(point.x), y: Double(point.y)) }

    /// Creates the normalised position of a pixel that is counted from the lower left corner, as in Vision.
    public init(imagePoint: CGPoint, in size: CGSize) {
        self.init(x: Double(imagePoint.x / size.width), y: 1 - Double(imagePoint.y / size.height))
    }

    /// The upper left corner.
    public static let zero = Point(x: 0, y: 0)

    /// The position as Core Graphics' type.
    public var cgPoint: CGPoint { CGPoint(x: x, y: y) }

    /// Returns the normalised position counted from the other edge: from the bottom for one from the top.
    public func verticallyFlipped() -> Point { Point(x: x, y: 1 - y) }

    /// Returns the place in an image, in pixels.
    ///
    /// - Parameters:
    ///   - size: size of the image in pixels.
    ///   - origin: the corner from which pixels are counted; as in Vision, the lower left one.
    public func toImageCoordinates(_ size: CGSize, origin: CoordinateOrigin = .lowerLeft) -> CGPoint {
        toImageCoordinates(Size(size), origin: origin).cgPoint
    }
}

extension Size {
    /// Creates a size from Core Graphics' type.
    public init(_ size: CGSize) { self.init(width: Double(size.width), height: Double(size.height)) }

    /// The size as Core Graphics' type.
    public var cgSize: CGSize { CGSize(width: width, height: height) }
}

extension Rectangle {
    /// The whole image, normalised.
    public static let fullImage = Rectangle(x: 0, y: 0, width: 1, height: 1)

    /// Creates a rectangle from Core Graphics' type.
    public init(_ rect: CGRect) {
        self.init(
            x: Double(rect.origin.x), y: Double(rect.origin.y), width: Double(rect.size.width),
            height: Double(rect.size.height))
    }

    /// The corner with the smallest `x` and `y`.
    public var origin: Point { Point(x: x, y: y) }

    /// The rectangle as Core Graphics' type.
    public var cgRect: CGRect { CGRect(x: x, y: y, width: width, height: height) }

    /// Returns the normalised rectangle counted from the other edge: from the bottom for one from the top.
    public func verticallyFlipped() -> Rectangle {
        Rectangle(x: x, y: 1 - y - height, width: width, height: height)
    }

    /// Returns the place in an image, in pixels.
    ///
    /// - Parameters:
    ///   - size: size of the image in pixels.
    ///   - origin: the corner from which pixels are counted; as in Vision, the lower left one.
    public func toImageCoordinates(_ size: CGSize, origin: CoordinateOrigin = .lowerLeft) -> CGRect {
        toImageCoordinates(Size(size), origin: origin).cgRect
    }
}

extension FaceLandmarks.Outline {
    /// Returns the places of the points in an image, in pixels.
    ///
    /// - Parameters:
    ///   - size: size of the image in pixels.
    ///   - origin: the corner from which pixels are counted; as in Vision, the lower left one.
    public func pointsInImageCoordinates(
        _ size: CGSize, origin: CoordinateOrigin = .lowerLeft
    ) -> [CGPoint] {
        points.map { $0.toImageCoordinates(size, origin: origin) }
    }
}
