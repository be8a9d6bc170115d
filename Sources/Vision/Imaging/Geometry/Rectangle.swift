/// A position, in the unit of its space.
public struct Point: Sendable, Hashable, Codable {
    /// Distance from the left edge.
    public var x: Double
    /// Distance from the top edge.
    public var y: Double

    /// Creates the position (`x`, `y`).
    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}

/// A width and a height, usually in pixels.
public struct Size: Sendable, Hashable, Codable {
    /// Extent from left to right.
    public var width: Double
    /// Extent from top to bottom.
    public var height: Double

    /// Creates the size `width` x `height`.
    public init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }

    /// Creates the size of an image of whole pixels.
    public init(width: Int, height: Int) {
        self.init(width: Double(width), height: Double(height))
    }
}

/// An axis-aligned rectangle; it may reach outside of its space.
public struct Rectangle: Sendable, Hashable, Codable {
    /// Left edge.
    public var x: Double
    /// Top edge.
    public var y: Double
    /// Extent from left to right.
    public var width: Double
    /// Extent from top to bottom.
    public var height: Double

    /// Creates the rectangle with its top-left corner at (`x`, `y`).
    public init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// Creates the rectangle of a size around a point.
    package init(center: Point, size: Size) {
        self.init(
            x: center.x - size.width / 2, y: center.y - size.height / 2, width: size.width,
            height: size.height)
    }

    /// The whole frame in normalised coordinates.
    public static let unit = Rectangle(x: 0, y: 0, width: 1, height: 1)

    /// The centre.
    public var center: Point { Point(x: x + width / 2, y: y + height / 2) }

    /// Whether a point is one of the rectangle's, if its right and lower edges belong to its neighbours.
    package func covers(_ point: Point) -> Bool {
        point.x >= x && point.x < x + width && point.y >= y && point.y < y + height
    }
}

/// A rectangle of a frame that may be rotated around its centre.
package struct RotatedRectangle: Sendable, Equatable {
    /// The centre in normalised frame coordinates.
    package var center: Point
    /// Extent along the rectangle's own x axis, as a fraction of the frame's width.
    package var width: Double
    /// Extent along the rectangle's own y axis, as a fraction of the frame's height.
    package var height: Double
    /// Angle in radians from the frame's x axis to the rectangle's, towards the y axis: clockwise on a screen.
    ///
    /// Angles are those seen in frame pixels, not in the (usually distorted) normalised space.
    package var angle: Double

    /// Creates a rectangle around `center`.
    package init(center: Point, width: Double, height: Double, angle: Double) {
        self.center = center
        self.width = width
        self.height = height
        self.angle = angle
    }
}

/// A rectangle of whole pixels: `x` and `y` of the upper left corner, and the size.
package struct PixelRect: Sendable, Equatable {
    /// Left edge.
    package var x: Int
    /// Upper edge.
    package var y: Int
    /// Number of pixels in a row.
    package var width: Int
    /// Number of rows.
    package var height: Int

    /// Creates a rectangle of whole pixels.
    package init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }
}

extension PixelRect {
    /// Creates the rectangle of the pixels that `box`, in normalised coordinates, touches within a `width` x
    /// `height` image.
    package init(_ box: Rectangle, width: Int, height: Int) {
        let (left, right) = Self.clamped(box.x, box.x + box.width, to: width)
        let (top, bottom) = Self.clamped(box.y, box.y + box.height, to: height)
        self.init(x: left, y: top, width: right - left, height: bottom - top)
    }

    private static func clamped(_ low: Double, _ high: Double, to count: Int) -> (Int, Int) {
        let first = pixel((low * Double(count)).rounded(.down), in: count)
        let last = pixel((high * Double(count)).rounded(.up), in: count)
        return (first, max(first, last))
    }

    private static func pixel(_ position: Double, in count: Int) -> Int {
        // Comparisons with NaN are false, and `Int(_:)` traps for NaN.
        position > 0 ? (position < Double(count) ? Int(position) : count) : 0
    }
}
