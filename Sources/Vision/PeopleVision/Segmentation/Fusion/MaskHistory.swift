package import Imaging

/// The mean of the last masks of a scene, which moves along with the image: 1 where people have been for a
/// while.
package final class MaskHistory {
    /// Number of masks in the mean: those of a second, where every second frame has a mask of its own.
    private static let length = 16
    /// The mean at a place that people have left or not yet reached, and at one that has shown them for a while.
    ///
    /// After 25 masks with people, one without gives 0.94, two give 0.88, three give 0.82.
    static let lasting = LinearStep(from: 0.8, to: 0.92)

    private let mean = MovingImage()
    private let moved = FloatImage()
    private let last = FloatImage()
    private let rows = LinearResizer()
    private var count = 0

    /// Creates an empty history, whose mean has the size `extent`.
    package init(_ extent: SegmentationPlan.Extent) {
        for image in [moved, last] { image.resize(width: extent.width, height: extent.height) }
    }

    /// Moves the mean to the next frame.
    package func follow(_ motion: MotionField) { mean.follow(motion) }

    /// Returns the mean, moved to the last frame; nil where a scene begins.
    package func current() -> FloatImage? {
        guard count > 0 else { return nil }
        mean.write(into: moved)
        return moved
    }

    /// Adds the mask of the last frame of `motion`, after a call of `current()`.
    package func add(_ mask: FloatImage, after motion: MotionField) {
        rows.resize(mask, into: last)
        if count == 0 { moved.copy(last) }
        count = min(count + 1, Self.length)
        let (values, weight) = (moved.base, 1 / Float(count))
        for i in 0..<last.count { values[i] += weight * (last.base[i] - values[i]) }
        mean.image.copy(moved)
        mean.begin(after: motion)
    }

    /// Forgets the masks, as the next frame does not follow the last.
    package func reset() { count = 0 }
}
