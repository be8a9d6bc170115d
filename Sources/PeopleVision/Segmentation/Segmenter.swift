package import Imaging

/// Turns the frames of a stream into masks of a plan's size.
package protocol Segmenter: AnyObject {
    /// Returns the mask of the people of `frame`, upright; valid until the next call.
    ///
    /// - Parameter smoothing: 0...1; the weight of the past where the image stands still.
    func segment(_ frame: InputFrame, smoothing: Float) throws(VisionError) -> FloatImage

    /// Whether the last frame continued the scene of the one before.
    var followsLast: Bool { get }

    /// The time of the frame that the last mask shows, where it has moved along since; nil where that is the
    /// last frame.
    var maskTime: UInt64? { get }

    /// Whether the last mask is one of the fast level, because one of the segmenter's own is not ready.
    var isFallback: Bool { get }

    /// Loads the models that `people` needs, so that the first frame does not wait for them.
    ///
    /// - Parameter search: schedule of the search for small people; nil for no search.
    func preparePeople(_ search: PersonSearch.Schedule?) throws(VisionError)

    /// Returns the people of `frame`, which was segmented last, each with coverage of their own; valid until
    /// the next call.
    func people(of frame: InputFrame) throws(VisionError) -> SegmentedPeople

    /// Returns the matting models, which a segmenter for frames of another size can use; nil without any.
    ///
    /// Waits until they are loaded.
    func waitForMattingModels() throws(VisionError) -> MattingModels?

    /// Forgets the scene, as the next frame does not follow the last.
    func reset()
}

extension Segmenter {
    /// Returns the mask of `frame` as `segment` does; a still image ignores the frames before.
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
    /// The people with coverage of their own, tallest first.
    package let people: ArraySlice<PersonPrior.Person>
    /// Number of people found.
    package let count: Int
    /// The number of the scene: places in different scenes cannot be compared.
    package let scene: Int

    /// Creates the people of a frame.
    package init(people: ArraySlice<PersonPrior.Person>, count: Int, scene: Int) {
        (self.people, self.count, self.scene) = (people, count, scene)
    }

    /// Returns a copy that stays valid, in the memory of `old`, if that is no longer needed.
    func copy(into old: SegmentedPeople?) -> SegmentedPeople {
        var kept = old.map { Array($0.people) } ?? []
        for (index, person) in people.enumerated() {
            if index == kept.count { kept.append(PersonPrior.Person()) }
            kept[index].copy(person)
        }
        return SegmentedPeople(people: kept[..<people.count], count: count, scene: scene)
    }
}
