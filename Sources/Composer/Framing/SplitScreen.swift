package import Imaging

/// An output that shows two parts of a frame: above each other if it is upright, and else beside each other.
package struct SplitScreen: Sendable, Equatable {
    /// Divisor of the place where the halves meet, in pixels: that of the chroma of all formats.
    private static let alignment = 4

    private let isStacked: Bool
    /// The frame, and the shape of half the output.
    package let half: ShotSpace

    /// Divides the output of a space.
    package init(of space: ShotSpace) {
        isStacked = space.outputAspect < 1
        half = ShotSpace(
            frameAspect: space.frameAspect, outputAspect: space.outputAspect * (isStacked ? 2 : 0.5))
    }

    /// The halves as fractions of the upright output; the first one is the upper or the left one.
    package var halves: (first: Rectangle, second: Rectangle) {
        isStacked
            ? (Rectangle(x: 0, y: 0, width: 1, height: 0.5), Rectangle(x: 0, y: 0.5, width: 1, height: 0.5))
            : (Rectangle(x: 0, y: 0, width: 0.5, height: 1), Rectangle(x: 0.5, y: 0, width: 0.5, height: 1))
    }

    /// Returns the pixels of a half; nil if the output is too small.
    ///
    /// - Parameter half: a half as a fraction of the stored output.
    package static func pixels(of half: Rectangle, width: Int, height: Int) -> PixelRect? {
        let (left, right) = (edge(half.x, width), edge(half.x + half.width, width))
        let (top, bottom) = (edge(half.y, height), edge(half.y + half.height, height))
        guard left < right, top < bottom else { return nil }
        return PixelRect(x: left, y: top, width: right - left, height: bottom - top)
    }

    private static func edge(_ share: Double, _ length: Int) -> Int {
        guard share > 0.25 else { return 0 }
        return share > 0.75 ? length : alignment * ((length / 2 + alignment / 2) / alignment)
    }
}
