/// Says where a picture stands still: 1 where it does, 0 where it has changed.
///
/// Differences are averaged over a small window first: sensor noise cancels out, edges that move do not.
package final class StillnessMap {
    /// A smaller mean difference of a channel (0...1) than this is not taken for a change.
    private static let reach: Float = 10.0 / 255
    private static let radius = 2
    /// A picture of which a larger part has changed shows another scene.
    private static let cut: Float = 0.6

    /// The map, of the pictures' size.
    package let grid = MaskGrid()
    private let last = ScratchBuffer<Float>()
    private let difference = ScratchBuffer<Float>()
    private let means = ScratchBuffer<Float>()
    private let box = BoxMean()
    private var isFirst = true

    /// A map that has seen no picture.
    package init() {}

    /// The next picture does not follow the last.
    package func reset() { isFirst = true }

    /// Compares a picture with the one before and keeps it.
    ///
    /// - Parameter picture: `width` x `height` pixels, R, G, B side by side, 0...1.
    /// - Returns: true when the picture follows the last; false for the first one and after a cut, when
    ///   nothing stands still.
    package func update(_ picture: UnsafePointer<Float>, width: Int, height: Int) -> Bool {
        let count = 3 * width * height
        if grid.resize(width: width, height: height) { isFirst = true }
        let last = last.reserve(count)
        if isFirst {
            grid.fill(0)
        } else {
            let (difference, means) = (difference.reserve(count), means.reserve(count))
            for i in 0..<count { difference[i] = picture[i] - last[i] }
            box.apply(
                difference, width: width, height: height, channels: 3, radius: Self.radius, into: means)
            rate(means)
        }
        let follows = !isFirst && movingShare < Self.cut
        if !follows { grid.fill(0) }
        last.update(from: picture, count: count)
        isFirst = false
        return follows
    }

    private func rate(_ means: UnsafePointer<Float>) {
        let (values, count, unit) = (grid.base, grid.count, 1 / Self.reach)
        for i in 0..<count {
            let (r, g, b) = (abs(means[3 &* i]), abs(means[3 &* i &+ 1]), abs(means[3 &* i &+ 2]))
            let change = max(max(r, g), b) * unit
            let still = max(0, 1 - change * change)
            values[i] = still * still
        }
    }

    private var movingShare: Float {
        var moving = 0
        let (values, count) = (grid.base, grid.count)
        for i in 0..<count { moving &+= values[i] > 0 ? 0 : 1 }
        return Float(moving) / Float(max(1, count))
    }
}
