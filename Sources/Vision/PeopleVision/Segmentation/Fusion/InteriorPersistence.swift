package import Imaging

/// Keeps parts inside of people that masks have shown for a while, and that the next mask loses.
///
/// No part inside of a person vanishes from one frame to the next. Such a part stays where the coarse coverage is certain of a person,
/// and for two or three masks only: the history has the masks as they were before.
package final class InteriorPersistence {
    private let history: MaskHistory
    private let kept = FloatImage()
    private let morphology = MorphologyFilter()
    private let rows = LinearResizer()
    /// The motion to the last frame; nil before the first.
    private var motion: MotionField?

    /// Creates a persistence without a history, whose history has the size `extent`.
    package init(_ extent: SegmentationPlan.Extent) { history = MaskHistory(extent) }

    /// Moves the history to the next frame.
    package func follow(_ motion: MotionField) {
        self.motion = motion
        history.follow(motion)
    }

    /// Raises a frame's mask where it has lost a part, and adds the mask as it was to the history.
    ///
    /// - Parameter people: coarse coverage of all people, of the history's size.
    package func raise(_ mask: FloatImage, people: FloatImage) {
        guard let motion else { return }
        let isKept = keep(people)
        history.add(mask, after: motion)
        if isKept { mask.raise(to: kept, by: rows) }
    }

    /// Fills `kept` with what lasts inside of people; returns false where a scene begins.
    private func keep(_ people: FloatImage) -> Bool {
        guard let mean = history.current() else { return false }
        kept.copy(mean)
        // Outlines move within both tolerances, that of the history and that of the coverage.
        morphology.erode(kept, radius: Int(2 * CoverageLimits.outlineTolerance(of: kept)))
        let (values, coverage, certain) = (kept.base, people.base, CoverageLimits.certain)
        for i in 0..<min(kept.count, people.count) {
            values[i] = MaskHistory.lasting.value(values[i]) * certain.value(coverage[i])
        }
        return true
    }

    /// Forgets the masks, as the next frame does not follow the last.
    package func reset() { history.reset() }
}

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
