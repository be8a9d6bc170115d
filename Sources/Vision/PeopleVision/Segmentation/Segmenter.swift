package import Imaging

/// Turns the frames of a stream into masks of a plan's size.
package protocol Segmenter: AnyObject {
    /// Segments the next frame; the result is valid until the next call.
    ///
    /// - Parameters:
    ///   - smoothing: 0...1; the weight of the past where the image stands still.
    ///   - withPeople: whether each person's coverage is wanted.
    func segment(
        _ frame: InputFrame, smoothing: Float, withPeople: Bool
    ) throws(VisionError) -> Segmentation

    /// Loads the models that each person's coverage needs, so that the first frame does not wait for them.
    ///
    /// - Parameter search: schedule of the search for small people; nil for no search.
    func preparePeople(_ search: PersonSearch.Schedule?) throws(VisionError)

    /// Returns the matting models, which a segmenter for frames of another size can use; nil without any.
    ///
    /// Waits until they are loaded.
    func waitForMattingModels() throws(VisionError) -> MattingModels?

    /// Segments the next frame, which waits for others, so that a mask of its own may come late.
    func segmentAhead(
        _ frame: InputFrame, smoothing: Float, withPeople: Bool
    ) throws(VisionError) -> Segmentation

    /// Returns the mask of an earlier frame that became ready with the last one; nil where there is none.
    ///
    /// Only segmenters that compute masks on another thread have such masks.
    var lateMask: LateMask? { get }

    /// The time for which the last frame waited for the mask of an earlier one.
    var waitingTime: Duration { get }

    /// Forgets the scene, as the next frame does not follow the last.
    func reset()
}

extension Segmenter {
    package func segmentAhead(
        _ frame: InputFrame, smoothing: Float, withPeople: Bool
    ) throws(VisionError) -> Segmentation {
        try segmentNext(frame, smoothing: smoothing, withPeople: withPeople)
    }

    package var lateMask: LateMask? { nil }

    package var waitingTime: Duration { .zero }

    /// Segments `frame` as `segment` does; a still image ignores the frames before.
    func segmentNext(
        _ frame: InputFrame, smoothing: Float, withPeople: Bool
    ) throws(VisionError) -> Segmentation {
        if frame.isStill { reset() }
        return try segment(frame, smoothing: smoothing, withPeople: withPeople)
    }

    package func waitForMattingModels() throws(VisionError) -> MattingModels? { nil }
}

/// A mask that became ready when frames after its own had come.
package struct LateMask {
    /// The mask of all people in its own frame, upright; valid until the next frame.
    package let mask: FloatImage
    /// The time of its own frame, in nanoseconds of the stream.
    package let time: UInt64

    /// Creates the mask of an earlier frame.
    package init(mask: FloatImage, time: UInt64) { (self.mask, self.time) = (mask, time) }
}

/// The people of a frame, as a segmenter finds them.
package struct Segmentation {
    /// The mask of all people, upright.
    package var mask: FloatImage
    /// The people, each with coverage of their own; nil where that was not wanted.
    package var people: SegmentedPeople?
    /// Whether the frame continues the scene of the one before.
    package var followsLast: Bool
    /// The time of the frame that the mask shows, in nanoseconds of the stream; nil if unknown.
    ///
    /// It is another frame's where the mask has moved along.
    package var time: UInt64?
    /// Whether the mask is one of the fast level, because one of the segmenter's own is not ready.
    package var isFallback: Bool
    /// Brightness of the frame at `FrameBrightness.motionSide`; nil where the segmenter does not need it.
    package var brightness: FloatImage?

    /// Creates the segmentation of a frame.
    package init(
        mask: FloatImage, people: SegmentedPeople? = nil, followsLast: Bool, time: UInt64?,
        isFallback: Bool = false, brightness: FloatImage? = nil
    ) {
        (self.mask, self.people, self.followsLast) = (mask, people, followsLast)
        (self.time, self.isFallback, self.brightness) = (time, isFallback, brightness)
    }
}

/// The people of a frame, each with coverage of their own.
package struct SegmentedPeople {
    /// The people with coverage of their own, tallest first.
    package let people: ArraySlice<PersonPrior.Person>
    /// Number of people found.
    package let count: Int
    /// The number of the scene: places in different scenes cannot be compared.
    package let scene: Int

    /// An empty list of people.
    static var none: SegmentedPeople { SegmentedPeople(people: [], count: 0, scene: 0) }

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
