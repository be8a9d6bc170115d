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
