import Imaging

/// Turns the frames of a stream into masks of a plan's size.
protocol Segmenter: AnyObject {
    /// The people of `image`, turned upright; valid until the next call.
    ///
    /// - Parameter smoothing: 0...1; the weight of the past where the picture stands still.
    func segment(
        _ image: ImageView, orientation: ImageOrientation, smoothing: Float
    ) throws(VisionError) -> FloatImage

    /// Loads what `people` needs, so that the first frame does not wait for it.
    func preparePeople() throws(VisionError)

    /// The people of `image`, the frame that was segmented last, each with coverage of their own; valid until the
    /// next call.
    func people(of image: ImageView, orientation: ImageOrientation) throws(VisionError) -> SegmentedPeople

    /// The next frame does not follow the last.
    func reset()
}

/// The people of a frame, one by one.
package struct SegmentedPeople {
    /// Those with coverage of their own, the tallest first.
    package let people: ArraySlice<PersonPrior.Person>
    /// All who were found.
    package let count: Int
    /// The number of the scene: places in another one mean nothing.
    package let scene: Int
}
