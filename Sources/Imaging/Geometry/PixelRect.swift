/// Whole pixels: `x`, `y` of the upper left corner, and the size.
public struct PixelRect: Sendable, Equatable {
    /// Left edge.
    public var x: Int
    /// Upper edge.
    public var y: Int
    /// Pixels in a row.
    public var width: Int
    /// Rows.
    public var height: Int

    /// A rectangle of whole pixels.
    public init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }
}

extension PixelRect {
    /// The pixels that `box`, in normalised coordinates, touches within a `width` x `height` image.
    public init(_ box: Rectangle, width: Int, height: Int) {
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
        // Comparisons with a NaN are false, and Int() of one traps.
        position > 0 ? (position < Double(count) ? Int(position) : count) : 0
    }
}
