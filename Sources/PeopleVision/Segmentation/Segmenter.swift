package import Imaging

/// Turns the frames of a stream into masks of a plan's size.
package protocol Segmenter: AnyObject {
    /// The people of `frame`, turned upright; valid until the next call.
    ///
    /// - Parameter smoothing: 0...1; the weight of the past where the image stands still.
    func segment(_ frame: InputFrame, smoothing: Float) throws(VisionError) -> FloatImage

    /// Whether the last frame continued the scene of the one before.
    var followsLast: Bool { get }

    /// When the frame was taken of which the last mask is, where that has moved along since; nil where it is the frame's own.
    var maskTime: UInt64? { get }

    /// Whether the last mask is one of the fast level, in place of one of its own that is not there yet.
    var isFallback: Bool { get }

    /// Loads what `people` needs, so that the first frame does not wait for it.
    ///
    /// - Parameter search: when small people are searched for as well; nil for never.
    func preparePeople(_ search: PersonSearch.Schedule?) throws(VisionError)

    /// The people of `frame`, which was segmented last, each with coverage of their own; valid until the next call.
    func people(of frame: InputFrame) throws(VisionError) -> SegmentedPeople

    /// The matting models, with which a segmenter for frames of another size can go on; nil without any. Waits until
    /// they are loaded.
    func waitForMattingModels() throws(VisionError) -> MattingModels?

    /// The next frame does not follow the last.
    func reset()
}

extension Segmenter {
    /// The people of `frame`, as `segment` finds them; nothing of the frames before counts for a still image.
    func segmentNext(_ frame: InputFrame, smoothing: Float) throws(VisionError) -> FloatImage {
        if frame.isStill { reset() }
        return try segment(frame, smoothing: smoothing)
    }

    package var maskTime: UInt64? { nil }
    package var isFallback: Bool { false }

    package func waitForMattingModels() throws(VisionError) -> MattingModels? { nil }
}

/// The people of a frame, each with coverage of their own.
package struct SegmentedPeople {
    /// Those with coverage of their own, the tallest first.
    package let people: ArraySlice<PersonPrior.Person>
    /// All who were found.
    package let count: Int
    /// The number of the scene: places in another one mean nothing.
    package let scene: Int

    /// The people of a frame.
    package init(people: ArraySlice<PersonPrior.Person>, count: Int, scene: Int) {
        (self.people, self.count, self.scene) = (people, count, scene)
    }

    /// A copy that stays valid, in the memory of `old`, if that is no longer needed.
    func copy(into old: SegmentedPeople?) -> SegmentedPeople {
        var kept = old.map { Array($0.people) } ?? []
        for (index, person) in people.enumerated() {
            if index == kept.count { kept.append(PersonPrior.Person()) }
            kept[index].copy(person)
        }
        return SegmentedPeople(people: kept[..<people.count], count: count, scene: scene)
    }
}
