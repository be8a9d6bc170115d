/// A map of the places where the frames of a stream stand still: 1 where they do, 0 where they have changed.
///
/// Differences are first averaged over a small window: sensor noise cancels out, moving edges do not.
package final class StillnessMap {
    /// Mean difference of a value (0...1) from which on it counts as a full change.
    private static let reach: Float = 10.0 / 255
    private static let radius = 1
    /// Minimum changed share of a frame that shows another scene.
    private static let cut: Float = 0.6

    /// The map, of the images' size.
    package let grid = FloatImage()
    private let planes: Int
    private let last = FloatImage()
    private let difference = FloatImage()
    private let change = FloatImage()
    private let box = BoxMean()
    private var isFirst = true

    /// Creates a map that has seen no frame.
    ///
    /// - Parameter planes: number of the images' planes: 1 for brightness, 3 for colours, whose change
    ///   counts where brightness happens to stay.
    package init(planes: Int = 1) { self.planes = max(1, planes) }

    /// Forgets the last frame, as the next frame does not follow it.
    package func reset() { isFirst = true }

    /// Compares a frame with the one before and keeps it.
    ///
    /// - Parameter image: values from 0 to 1, plane below plane, at about half the size of the masks.
    /// - Returns: whether the image follows the last one; false for the first image and after a cut, when
    ///   nothing stands still.
    package func update(_ image: FloatImage) -> Bool {
        if grid.resize(width: image.width, height: image.height / planes) { isFirst = true }
        let follows = !isFirst && compare(image)
        if !follows { grid.fill(0) }
        last.copy(image)
        isFirst = false
        return follows
    }

    private func compare(_ image: FloatImage) -> Bool {
        let (width, height, count) = (grid.width, grid.height, grid.count)
        difference.resize(width: width, height: height)
        change.resize(width: width, height: height)
        grid.fill(0)
        for plane in 0..<planes where (plane + 1) * count <= image.count {
            let (differences, first) = (difference.base, plane * count)
            let (last, image) = (last.base + first, image.base + first)
            for i in 0..<count { differences[i] = image[i] - last[i] }
            box.apply(differences, width: width, height: height, radius: Self.radius, into: change.base)
            let (values, changes) = (grid.base, change.base)
            for i in 0..<count { values[i] = max(values[i], abs(changes[i])) }
        }
        return rate() < Self.cut
    }

    /// Converts differences to stillness.
    ///
    /// - Returns: the share of the image that has changed.
    private func rate() -> Float {
        let (values, count, unit) = (grid.base, grid.count, 1 / Self.reach)
        var moving: Float = 0
        for i in 0..<count {
            let change = values[i] * unit
            let still = max(0, 1 - change * change)
            values[i] = still * still
        }
        for i in 0..<count where values[i] == 0 { moving += 1 }
        return moving / Float(max(1, count))
    }
}
